"""Random rounds of samples, as `assay why` takes them, from known true times.

truth = Truth(base={"append": 500, "find": 300}, candidate={"append": 560, "find": 300})
rounds = made(truth, rounds=30, noise=CALM, random=np.random.default_rng(7))

Amounts are nanoseconds of one iteration. The time of a launch varies as a whole and for each
function; then samples of it are drawn, as a timer would take them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assay.timed import Round, Sampled, SampleSpot


class Truth(NamedTuple):
    """The true time of each function on either side."""

    base: Mapping[str, float]
    candidate: Mapping[str, float]


@dataclass(frozen=True)
class Noise:
    """How launches vary: in logarithms, with heavy tails if `freedom` is small."""

    launch: float = 0.005  # variation of the whole launch
    function: float = 0.01  # variation of each function by itself
    freedom: float = 50.0  # degrees of freedom of Student's t: 3 gives rounds far outside
    autocorrelation: float = 0.0  # autocorrelation of the rounds' noise
    samples: int = 1_500
    waiting: float = 0.0  # most of the time for which others ran, in one launch of ten


CALM = Noise()
NOISES = {
    "samples alone": Noise(launch=0.0, function=0.0),
    "calm": CALM,
    "heavy tails": Noise(launch=0.01, function=0.03, freedom=3.0),
    "few samples": Noise(launch=0.01, function=0.02, freedom=5.0, samples=300),
    "echo 0.3": Noise(launch=0.01, function=0.03, freedom=5.0, autocorrelation=0.3),
    "echo 0.6": Noise(launch=0.01, function=0.03, freedom=5.0, autocorrelation=0.6),
    "busy host": Noise(launch=0.02, function=0.03, freedom=3.0, waiting=0.5),
}


def made(truth: Truth, rounds: int, noise: Noise, random: np.random.Generator) -> tuple[Round, ...]:
    """Draw so many rounds."""
    names = list(truth.base)
    sides = [np.array([side[name] for name in names]) for side in (truth.base, truth.candidate)]
    wild = [_wild(noise, rounds, len(names), random) for _ in sides]
    return tuple(
        Round(
            *(
                _launch(names, times * np.exp(factors[number]), noise, random)
                for times, factors in zip(sides, wild, strict=True)
            )
        )
        for number in range(rounds)
    )


def _wild(noise: Noise, rounds: int, functions: int, random: np.random.Generator) -> np.ndarray:
    whole = noise.launch * random.standard_t(noise.freedom, (rounds, 1))
    each = noise.function * random.standard_t(noise.freedom, (rounds, functions))
    factors = whole + each
    for number in range(1, rounds):
        fresh = np.sqrt(1.0 - noise.autocorrelation**2) * factors[number]
        factors[number] = noise.autocorrelation * factors[number - 1] + fresh
    return np.asarray(factors)


def _launch(
    names: list[str], times: np.ndarray, noise: Noise, random: np.random.Generator
) -> Sampled:
    busy_s = float(times.sum()) * 1e-9
    counts = random.multinomial(noise.samples, times / times.sum())
    spots = {
        SampleSpot(name): int(count) for name, count in zip(names, counts, strict=True) if count
    }
    waited_s = busy_s * noise.waiting * random.random() if random.random() < 0.1 else 0.0
    return Sampled(busy_s + waited_s, busy_s, spots, {}, noise.samples)
