"""The floor: what A against A shows on this host, and what to say about it.

floor = from_pairs(pairs_of_a_against_its_copy, settings, source="A/A of 2026-11-20")
below_floor(floor, settings)    # None, or that the margin asked for is too small
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import msgspec
import numpy as np

from assay.judge.effects import Floats
from assay.judge.estimate import LOWEST, launch_estimates, summary_method
from assay.judge.judgeable import is_judgeable
from assay.judge.normal import probability_within
from assay.judge.paired.predictable import SIGMA
from assay.judge.unpaired.sequential import ASSUMED_DRIFT
from assay.model import Floor, Pair, Settings
from assay.remarks import BelowFloor

# Rounds; a pair of base and candidate with fewer does not tell how rounds scatter. As many as
# repetitions of a side are asked for where there are no rounds (decision 5).
FEWEST = 5
# Standard error of a median over that of a mean, in normal noise: the root of pi / 2.
_MEDIAN_ERROR = 1.2533


def from_pairs(pairs: Sequence[Pair], settings: Settings, *, source: str) -> Floor | None:
    """The floor shown by `pairs` of a program against its own copy, measured in rounds.

    `effect` is the larger of what they showed and what their scatter makes likely (normal noise),
    below which all differences stay with probability 1 - alpha; 0.05 is 5 %. None where no pair
    of times has `FEWEST` rounds.
    """
    timed = _judgeable_times(pairs)
    if not timed:
        return None
    floor = _floor_from_errors(timed, settings, source)
    shown = dict(floor.by_benchmark)
    for one in timed:
        shown[one.benchmark] = max(shown[one.benchmark], abs(math.expm1(_median_log_ratio(one))))
    return msgspec.structs.replace(floor, effect=max(shown.values()), by_benchmark=shown)


def from_session(
    pairs: Sequence[Pair], settings: Settings, *, source: str = "this session"
) -> Floor | None:
    """The floor expected from the scatter of an ordinary session's rounds.

    It takes no measuring: less its own centre, each pair scatters as A against A would have.
    As `from_pairs` otherwise.
    """
    timed = _judgeable_times(pairs)
    return _floor_from_errors(timed, settings, source) if timed else None


def below_floor(floor: Floor, settings: Settings) -> BelowFloor | None:
    """A warning that this host cannot resolve the margin asked for; None where it can."""
    margin, effects = settings.margin, floor.by_benchmark
    if margin >= floor.effect:
        return None
    found = BelowFloor(margin=margin, effect=floor.effect, rounds=floor.rounds, source=floor.source)
    above = [name for name, effect in effects.items() if effect > margin]
    if len(effects) < 2 or not above:
        return found
    worst = max(above, key=lambda name: effects[name])
    return msgspec.structs.replace(found, above=len(above), benchmarks=len(effects), worst=worst)


def _floor_from_errors(pairs: Sequence[Pair], settings: Settings, source: str) -> Floor:
    errors = np.array([_standard_error(pair) for pair in pairs])
    largest = _common_bound(errors, settings.alpha)
    # Sidak: with this level for each, all stay below with probability 1 - alpha.
    level = 1.0 - (1.0 - settings.alpha) ** (1.0 / len(pairs))
    reach = -NormalDist().inv_cdf(level / 2)
    effects: dict[str, float] = {}
    for one, error in zip(pairs, errors.tolist(), strict=True):
        effect = math.expm1(min(largest, reach * error))
        effects[one.benchmark] = max(effect, effects.get(one.benchmark, 0.0))
    return Floor(
        effect=max(effects.values()),
        drift=max(ASSUMED_DRIFT, *(_drift(pair) for pair in pairs)),
        rounds=min(len(pair.base.launches) for pair in pairs),
        benchmarks=len(effects),
        source=source,
        by_benchmark=effects,
    )


def _judgeable_times(pairs: Sequence[Pair]) -> list[Pair]:
    """Pairs of times with enough rounds."""
    times = [pair for pair in pairs if summary_method(pair.metric) == LOWEST and is_judgeable(pair)]
    return [pair for pair in times if len(pair.base.launches) >= FEWEST]


def _log_ratios(pair: Pair) -> Floats:
    base = launch_estimates(pair.base.launches, pair.metric)
    candidate = launch_estimates(pair.candidate.launches, pair.metric)
    shared = min(len(base), len(candidate))
    return np.asarray(np.log(candidate[:shared] / base[:shared]))


def _median_log_ratio(pair: Pair) -> float:
    return float(np.median(_log_ratios(pair)))


def _standard_error(pair: Pair) -> float:
    """Standard error of the median log ratio, from the median absolute deviation of the rounds."""
    d = _log_ratios(pair)
    sigma = SIGMA * np.median(np.abs(d - np.median(d)))
    return float(_MEDIAN_ERROR * sigma / np.sqrt(len(d)))


def _common_bound(errors: Floats, alpha: float) -> float:
    """The bound below which all normal effects of these standard errors stay with 1 - alpha."""
    low, high = 0.0, 10.0 * float(errors.max())
    for _ in range(40):
        middle = 0.5 * (low + high)
        inside = sum(math.log(max(probability_within(middle, e), 1e-300)) for e in errors.tolist())
        low, high = (middle, high) if inside < math.log1p(-alpha) else (low, middle)
    return high


def _drift(pair: Pair) -> float:
    """Change of the base side alone, from the first half of its launches to the second."""
    logs = np.log(launch_estimates(pair.base.launches, pair.metric))
    half = len(logs) // 2
    return float(np.expm1(abs(np.median(logs[half:]) - np.median(logs[:half]))))
