"""Notes where rounds are less independent, or less steady, than the interval assumes."""

import numpy as np

from assay.judge.effects import Floats
from assay.judge.paired.predictable import SIGMA, TINY, correlation

FEWEST = 16  # rounds below which no note is made
_SIGNIFICANT = 3.3  # standard errors: about one false note in a thousand, in normal noise
_TWO_MODES = 0.85  # share of the variance that two clusters explain; of a normal it is 0.64


def notes(d: Floats, base_first: tuple[bool, ...]) -> tuple[str, ...]:
    """What is notable about the log ratios `d` of one pair, in time order, in words.

    Lag-1 autocorrelation, drift, an effect of which side ran first (`base_first`, of each round),
    and two groups of rounds. No verdict depends on them.
    """
    if len(d) < FEWEST:
        return ()
    z = _standard(d)
    said = (_autocorrelation(z), _drift(d, z), _position(d, base_first), _modes(z))
    return tuple(note for note in said if note)


def _standard(d: Floats) -> Floats:
    centre = np.median(d)
    sigma = max(SIGMA * float(np.median(np.abs(d - centre))), TINY)
    return np.asarray(np.clip((d - centre) / sigma, -3.0, 3.0))


def _autocorrelation(z: Floats) -> str:
    autocorrelation = float(correlation(z[None, :])[0])
    if abs(autocorrelation) * np.sqrt(len(z)) < _SIGNIFICANT:
        return ""
    done = "interval widened" if autocorrelation > 0 else "interval left as it is"
    return f"rounds are not independent (lag-1 correlation {autocorrelation:.2f}): {done}"


def _drift(d: Floats, z: Floats) -> str:
    time = np.linspace(-1.0, 1.0, len(z))
    slope = float(np.sum(time * z) / np.sum(time * time))
    error = float(np.std(z)) / np.sqrt(float(np.sum(time * time)))
    if error == 0.0 or abs(slope) < _SIGNIFICANT * error:
        return ""
    half = len(d) // 2
    moved = float(np.expm1(np.median(d[half:]) - np.median(d[:half])))
    return f"the effect drifts: {moved:+.1%} from the first half of the rounds to the second"


def _position(d: Floats, base_first: tuple[bool, ...]) -> str:
    first = np.array(base_first, dtype=bool)
    if len(first) != len(d) or min(first.sum(), (~first).sum()) < FEWEST // 4:
        return ""
    one, other = d[first], d[~first]
    gap = float(np.median(one) - np.median(other)) / 2
    error = np.hypot(_error(one), _error(other)) / 2
    if error == 0.0 or abs(gap) < _SIGNIFICANT * error:
        return ""
    return f"whichever runs second is {np.expm1(abs(gap)):.1%} {'slower' if gap > 0 else 'faster'}"


def _error(values: Floats) -> float:
    """Standard error of a median, robustly."""
    spread = SIGMA * np.median(np.abs(values - np.median(values)))
    return float(1.2533 * spread / np.sqrt(len(values)))


def _modes(z: Floats) -> str:
    ordered = np.sort(z)
    total = float(np.var(ordered))
    if total == 0.0:
        return ""
    n = len(ordered)
    sizes = np.arange(1, n)
    sums = np.cumsum(ordered)[:-1]
    between = (sums - sizes * ordered.mean()) ** 2 / (sizes * (n - sizes)) / total
    few = n // 6
    share = float(between[few : n - few].max())
    return (
        "rounds fall into two groups: a mode of the host or of memory" if share > _TWO_MODES else ""
    )
