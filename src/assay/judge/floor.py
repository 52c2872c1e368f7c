"""The floor: what A against A shows on this host, and what to say about it."""

from collections.abc import Sequence

import numpy as np

from assay.judge.estimate import launch_estimates
from assay.judge.files import ASSUMED_DRIFT
from assay.judge.rounds import Rounds
from assay.model import Floor, Pair, Settings

_SIGMAS = 3.0  # suite-wide level of a few dozen comparisons


def from_pairs(pairs: Sequence[Pair], settings: Settings, *, source: str) -> Floor:
    """The floor shown by `pairs` of a program against its own copy.

    `effect` is the largest change any of them seemed to show, `drift` the
    largest change between the two halves of one side's launches.
    """
    usable = [pair for pair in pairs if len(pair.base.launches) >= 2]
    changes = [float(abs(Rounds([pair]).effects.change[0])) for pair in usable]
    return Floor(
        effect=max(changes, default=0.0),
        drift=max((_drift(pair) for pair in usable), default=ASSUMED_DRIFT),
        rounds=min((len(pair.base.launches) for pair in usable), default=0),
        benchmarks=len(usable),
        source=source,
    )


def from_session(
    pairs: Sequence[Pair], settings: Settings, *, source: str = "this session"
) -> Floor | None:
    """A floor from the base side alone: its launches against their neighbours.

    Cheap, as nothing is measured for it; None with fewer than 6 launches.
    """
    usable = [pair for pair in pairs if len(pair.base.launches) >= 6]
    if not usable:
        return None
    return Floor(
        effect=float(np.median([_expected(pair) for pair in usable])),
        drift=max(_drift(pair) for pair in usable),
        rounds=min(len(pair.base.launches) for pair in usable),
        benchmarks=len(usable),
        source=source,
    )


def message(floor: Floor, settings: Settings) -> str | None:
    """What to tell who asks for a margin this host cannot resolve."""
    if settings.margin >= floor.effect:
        return None
    return (
        f"the margin asked for ({settings.margin:.2g}) is below what A against A shows here "
        f"({floor.effect:.2%}, {floor.source}): expect verdicts of undecided, or raise it"
    )


def _logs(pair: Pair) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.log(launch_estimates(pair.base.launches, pair.base.metric))


def _expected(pair: Pair) -> float:
    """Three sigmas of an A/A effect after as many rounds as there are."""
    logs = _logs(pair)
    steps = np.abs(np.diff(logs))
    return float(np.expm1(_SIGMAS * 1.4826 * np.median(steps) / np.sqrt(len(logs))))


def _drift(pair: Pair) -> float:
    logs = _logs(pair)
    half = len(logs) // 2
    return float(np.expm1(abs(np.median(logs[half:]) - np.median(logs[:half]))))
