"""Shared by the judge's tests: noise of every kind, and pairs and samples made from it."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.model import Design, Pair, Sample, Series, Settings

Floats = NDArray[np.float64]
Rng = np.random.Generator
SCATTER = 0.01  # standard deviation of a round's log ratio for noise of size 1, as on a real host
ROUNDS = Path(__file__).resolve().parents[1] / "data" / "rounds"


def normal(rng: Rng, shape: tuple[int, int]) -> Floats:
    return rng.standard_normal(shape)


def skewed_launches(rng: Rng, shape: tuple[int, int]) -> Floats:
    """Each launch is slowed by a log-normal amount, so the log ratio of a round is symmetric."""
    slow = np.log1p(rng.lognormal(-1.0, 1.0, (2, *shape)))
    return np.asarray(slow[1] - slow[0])


def skewed_rounds(rng: Rng, shape: tuple[int, int]) -> Floats:
    """The log ratio itself is log-normal; its median, what the judge estimates, is 0."""
    return np.asarray(rng.lognormal(0.0, 0.5, shape) - 1.0)


def heavy(rng: Rng, shape: tuple[int, int]) -> Floats:
    """One round in twenty has 45 times the noise: standard deviation at least 10 x MAD."""
    return rng.standard_normal(shape) * np.where(rng.random(shape) < 0.05, 45.0, 1.0)


def bimodal(rng: Rng, shape: tuple[int, int]) -> Floats:
    """Each launch falls into one of two modes, 10 sigma apart."""
    launches = rng.standard_normal((2, *shape)) + 10.0 * (rng.random((2, *shape)) < 0.4)
    return np.asarray(launches[1] - launches[0])


def drifting(rng: Rng, shape: tuple[int, int]) -> Floats:
    """The host slows by 20 sigma over all rounds; the launch made second gets a bit more of it."""
    step = 20.0 / shape[1]
    order = rng.choice([-1.0, 1.0], shape)
    return rng.standard_normal(shape) + order * step / 2


def autocorrelated(share: float) -> Callable[[Rng, tuple[int, int]], Floats]:
    """AR(1) noise (autocorrelated) in the rounds' log ratios."""

    def make(rng: Rng, shape: tuple[int, int]) -> Floats:
        e = rng.standard_normal(shape)
        e[:, 0] /= np.sqrt(1.0 - share**2)
        for i in range(1, shape[1]):
            e[:, i] += share * e[:, i - 1]
        return e

    return make


def two_modes(gap: float, kept: float = 0.9) -> Callable[[Rng, tuple[int, int]], Floats]:
    """Each side has two modes `gap` sigmas apart, and stays in its mode with probability `kept`."""

    def make(rng: Rng, shape: tuple[int, int]) -> Floats:
        d = rng.standard_normal(shape)
        for sign in (1.0, -1.0):
            mode = rng.integers(0, 2, shape[0])
            for i in range(shape[1]):
                mode = np.where(rng.random(shape[0]) < kept, mode, 1 - mode)
                d[:, i] += sign * gap * mode
        return d

    return make


NOISES: dict[str, Callable[[Rng, tuple[int, int]], Floats]] = {
    "normal": normal,
    "log-normal launches": skewed_launches,
    "log-normal rounds": skewed_rounds,
    "heavy tails": heavy,
    "bimodal": bimodal,
    "drifting host": drifting,
    "AR(1) 0.3": autocorrelated(0.3),
    "AR(1) 0.5": autocorrelated(0.5),
    "AR(1) 0.7": autocorrelated(0.7),
    "two modes, kept with 0.9, 3 sigma apart": two_modes(3.0),
    "two modes, kept with 0.9, 5 sigma apart": two_modes(5.0),
}

# Noise in which rounds are autocorrelated.
AUTOCORRELATED = tuple(name for name in NOISES if name.startswith(("AR(1)", "two modes")))


def real_rounds(name: str = "identical") -> dict[str, tuple[Floats, Floats]]:
    """Benchmark -> base and candidate, each rounds x samples in a round, from a real noisy VM."""
    found = json.loads((ROUNDS / f"{name}.json").read_text())["benchmarks"]
    return {
        benchmark: (np.array(sides["base"]), np.array(sides["cand"]))
        for benchmark, sides in found.items()
    }


def series(
    launches: Sequence[Sequence[float]], benchmark: str = "B", metric: str = "real_time"
) -> Series:
    return Series(benchmark, metric, "ns", tuple(tuple(map(float, one)) for one in launches))


def rounds_of(
    base: Sequence[Sequence[float]],
    candidate: Sequence[Sequence[float]],
    benchmark: str = "B",
    metric: str = "real_time",
) -> Pair:
    first = tuple(i % 2 == 0 for i in range(len(base)))
    sides = series(base, benchmark, metric), series(candidate, benchmark, metric)
    return Pair(*sides, Design.INTERLEAVED, first)


def rounds_from(d: Floats, benchmark: str = "B", level: float = 100.0) -> Pair:
    """A pair whose rounds have the log ratios `d`, on a level that goes up and down."""
    wander = level * np.exp(0.3 * np.sin(np.arange(len(d))))
    return rounds_of(
        [(x,) for x in wander * np.exp(-d / 2)], [(x,) for x in wander * np.exp(d / 2)], benchmark
    )


def files_of(
    base: Sequence[float],
    candidate: Sequence[float],
    benchmark: str = "B",
    metric: str = "real_time",
) -> Pair:
    return Pair(
        series([base], benchmark, metric), series([candidate], benchmark, metric), Design.SEQUENTIAL
    )


def sample(benchmark: str = "B", real: Sequence[float] = (1.0,), **more: object) -> Sample:
    values = {"real_time": tuple(real), "cpu_time": tuple(real)}
    return Sample(**{"benchmark": benchmark, "values": values, **more})  # type: ignore[arg-type]


def settings(margin: float = 0.02, alpha: float = 0.05) -> Settings:
    return Settings(margin=margin, alpha=alpha)
