"""How much measuring one launch does: repetitions, and how long each.

    effort = calibrated(first_sample, Effort(0.0005, 15))

Both sides of a comparison get the same effort, found on one unpinned trial
launch, so that neither is measured longer or with more iterations than the other.
"""

import math
from dataclasses import dataclass, replace

from assay.model import Sample
from assay.units import TIME_UNITS_NS

LAUNCH_LIMIT_S = 0.02  # a launch of a slow benchmark repeats less rather than last longer


@dataclass(frozen=True)
class Effort:
    """What one launch is asked to do."""

    min_time_s: float = 0.0005  # per repetition: docs/decisions/0007-many-short-samples.md
    repetitions: int = 15
    iterations: int = 0  # per repetition; 0: as many as fill min_time_s
    trial: bool = False  # not measured for keeps: its threads may be counted meanwhile


def calibrated(trial: Sample, asked: Effort) -> Effort:
    """Iterations that fill `min_time_s`, and fewer repetitions when one is long."""
    iteration_s = _iteration_s(trial)
    if iteration_s <= 0:
        return asked
    iterations = max(1, math.ceil(asked.min_time_s / iteration_s))
    repetition_s = max(asked.min_time_s, iteration_s)
    fitting = max(1, int(max(LAUNCH_LIMIT_S, asked.min_time_s * asked.repetitions) / repetition_s))
    return replace(asked, iterations=iterations, repetitions=min(asked.repetitions, fitting))


def _iteration_s(trial: Sample) -> float:
    """Real time of one iteration; with threads, of the whole team."""
    times = trial.values.get("real_time", ())
    if not times:
        return 0.0
    return min(times) * TIME_UNITS_NS[trial.time_unit] * 1e-9
