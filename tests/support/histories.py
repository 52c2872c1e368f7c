"""Made-up histories with noise of every kind, steps and drifts, and where the steps are.

A detector is given only `values`; where the steps are stays with the test.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rng = np.random.Generator
YEAR = 365  # runs, one a day
LEVEL, SCATTER = 40.0, 0.02  # the level of values, and the logarithm for noise of size 1


class Noise(NamedTuple):
    """A kind of noise between runs; `deviation` is its standard deviation."""

    make: Callable[[Rng, tuple[int, int]], Floats]
    deviation: float


def _contaminated(rng: Rng, shape: tuple[int, int]) -> Floats:
    return rng.standard_normal(shape) * np.where(rng.random(shape) < 0.05, 10.0, 1.0)


def _two_modes(share: float, apart: float) -> Callable[[Rng, tuple[int, int]], Floats]:
    """Noise with two modes; each run is in the upper one with probability `share`."""

    def make(rng: Rng, shape: tuple[int, int]) -> Floats:
        return rng.standard_normal(shape) + apart * (rng.random(shape) < share)

    return make


def autocorrelated(share: float) -> Callable[[Rng, tuple[int, int]], Floats]:
    """AR(1) noise (autocorrelated), beginning in its stationary distribution."""

    def make(rng: Rng, shape: tuple[int, int]) -> Floats:
        e = rng.standard_normal(shape)
        e[:, 0] /= np.sqrt(1.0 - share**2)
        for i in range(1, shape[1]):
            e[:, i] += share * e[:, i - 1]
        return e

    return make


NOISES = {
    "normal": Noise(lambda rng, shape: rng.standard_normal(shape), 1.0),
    "t, 3 degrees": Noise(lambda rng, shape: rng.standard_t(3, shape), 3.0**0.5),
    # Its standard deviation is infinite; used is that of a normal with the same quartiles.
    "t, 2 degrees": Noise(lambda rng, shape: rng.standard_t(2, shape), 1.21),
    "5 % of runs 10 x as wild": Noise(_contaminated, (0.95 + 0.05 * 100.0) ** 0.5),
    "AR(1) 0.5": Noise(autocorrelated(0.5), 0.75**-0.5),
    "AR(1) 0.3": Noise(autocorrelated(0.3), 0.91**-0.5),
    "modes 60:40, 10 apart": Noise(_two_modes(0.4, 10.0), (1.0 + 0.24 * 100.0) ** 0.5),
    "modes 90:10, 6 apart": Noise(_two_modes(0.1, 6.0), (1.0 + 0.09 * 36.0) ** 0.5),
    "log-normal": Noise(lambda rng, shape: rng.lognormal(0.0, 0.7, shape), 1.02),
}


class Year(NamedTuple):
    """One series, and the runs at which its level really changed."""

    values: Floats
    changes: tuple[int, ...]


def values_of(noise: Floats) -> Floats:
    """Positive values whose logarithms are `noise`."""
    return np.asarray(LEVEL * np.exp(SCATTER * noise))


def still(kind: str, series: int, seed: int, runs: int = YEAR) -> Floats:
    """Series whose level does not change."""
    return values_of(NOISES[kind].make(_rng(kind, seed), (series, runs)))


def stepping(
    kind: str, series: int, seed: int, *, step: float, at: int = 182, runs: int = 230
) -> Floats:
    """Series that rise by `step` deviations at run `at`."""
    noise = NOISES[kind].make(_rng(kind, seed), (series, runs))
    noise[:, at:] += step * NOISES[kind].deviation
    return values_of(noise)


def drifting(kind: str, series: int, seed: int, *, drift: float, runs: int = YEAR) -> Floats:
    """Series that rise by `drift` deviations in all, by the same amount in each run."""
    noise = NOISES[kind].make(_rng(kind, seed), (series, runs))
    return values_of(noise + np.linspace(0.0, drift * NOISES[kind].deviation, runs))


def moved_hosts(kind: str, series: int, seed: int) -> tuple[Floats, list[str]]:
    """Series that move to two other hosts, which have other levels and noise."""
    noise = NOISES[kind].make(_rng(kind, seed), (series, YEAR))
    noise[:, 120:] = 10.0 + 2.0 * noise[:, 120:]
    noise[:, 240:] = 0.5 * noise[:, 240:] - 30.0
    return values_of(noise), [*["a"] * 120, *["b"] * 120, *["c"] * 125]


def years(kind: str, series: int, seed: int) -> list[Year]:
    """Series with up to three steps of 1 to 4 deviations each, at least 30 runs apart."""
    rng = _rng(kind, seed)
    made = []
    for noise in NOISES[kind].make(rng, (series, YEAR)):
        places = rng.choice(np.arange(60, YEAR - 30, 31), rng.integers(0, 4), replace=False)
        changes = sorted(int(place + rng.integers(0, 2)) for place in places)
        for place in changes:
            noise[place:] += (
                rng.choice([-1.0, 1.0]) * rng.uniform(1.0, 4.0) * NOISES[kind].deviation
            )
        made.append(Year(values_of(noise), tuple(changes)))
    return made


def _rng(kind: str, seed: int) -> Rng:
    return np.random.default_rng([seed, list(NOISES).index(kind)])
