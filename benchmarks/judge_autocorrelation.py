"""Which estimates of autocorrelation the judge needs: ways to use them, on the same series.

    python -m benchmarks.judge_autocorrelation [--seed N] [--set chosen|checked] [--series 4000]
        [--rounds 100] [--rows TEXT] [--ways two,sure]

Benchmarks by themselves: in a suite of five or more all ways are the same. Each line is a noise;
its columns are the ways. First the share of series with a false verdict in 100 rounds, looking at
each; then, where rounds are independent, the median round of a verdict and the share found in 40.
Nothing is promised of it. The tables are in docs/decisions/0050-estimates-of-autocorrelation.md.
"""

import argparse
import math
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "support")]

from judging import NOISES, SCATTER, autocorrelated, normal, two_modes  # noqa: E402

from assay.judge.paired import confidence_sequence, predictable  # noqa: E402
from assay.judge.paired.confidence_sequence import (  # noqa: E402
    CLIP,
    FARTHEST_MODE,
    Increments,
    e_process,
    increments,
    max_e_value,
)
from assay.judge.paired.predictable import (  # noqa: E402
    IN_FAMILY,
    Estimates,
    Threshold,
    gated_autocorrelation,
    lag_1_correlations,
    predictable_estimates,
    rounds_of_updates,
)
from assay.judge.paired.tails import Tails, round_exponents  # noqa: E402
from assay.judge.share import IN_FAMILY as SHARES  # noqa: E402
from benchmarks.judge_attacks import every_second, hidden, with_runs  # noqa: E402

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Make = Callable[[np.random.Generator, tuple[int, int]], Floats]
ALPHA, AT_ONCE = 0.05, 500
TARGET = 2.0 / (ALPHA * SHARES.centre)
LARGEST, STRONG = 0.9, 0.35
SINGLE = Threshold(1.0, 0.5)


def estimates(d: Floats) -> tuple[Floats, Floats, Floats]:
    """The three autocorrelations before each round: sure, seen, upper bound."""
    sure, seen, upper = np.zeros_like(d), np.zeros_like(d), np.zeros_like(d)
    for now, then in pairwise([*rounds_of_updates(d.shape[1]), d.shape[1]]):
        if now >= 4:
            own, error = lag_1_correlations(d[:, :now]), 1.0 / math.sqrt(now)
            sure[:, now:then] = gated_autocorrelation(own, error, IN_FAMILY)[:, None]
            seen[:, now:then] = gated_autocorrelation(own, error, SINGLE)[:, None]
            upper[:, now:then] = np.clip(own + 5.0 / now, 0.0, LARGEST)[:, None]
    return sure, seen, upper


def weight(autocorrelation: Floats) -> Floats:
    return predictable._winnings_exponent(autocorrelation)


def weak(autocorrelation: Floats) -> Floats:
    return np.where(autocorrelation > STRONG, 0.0, autocorrelation)


Way = Callable[[Floats, Floats, Floats], tuple[Floats, Floats, Floats]]


def three(sure: Floats, seen: Floats, upper: Floats) -> tuple[Floats, Floats, Floats]:
    bound = np.maximum(seen, upper)
    taken = np.where(bound > STRONG, np.where(sure > STRONG, 0.0, seen), bound)
    return taken, weight(bound), weight(sure)


def two(sure: Floats, seen: Floats, upper: Floats) -> tuple[Floats, Floats, Floats]:
    bound = np.maximum(sure, upper)  # as in the judge; they differ beyond 100 rounds
    return weak(bound), weight(bound), weight(sure)


def near(sure: Floats, seen: Floats, upper: Floats) -> tuple[Floats, Floats, Floats]:
    return weak(upper), weight(upper), np.ones_like(upper)


def sure_alone(sure: Floats, seen: Floats, upper: Floats) -> tuple[Floats, Floats, Floats]:
    return weak(sure), weight(sure), weight(sure)


def seen_alone(sure: Floats, seen: Floats, upper: Floats) -> tuple[Floats, Floats, Floats]:
    return weak(seen), weight(seen), weight(seen)


def upper_alone(sure: Floats, seen: Floats, upper: Floats) -> tuple[Floats, Floats, Floats]:
    return weak(upper), weight(upper), weight(upper)


def batches_alone(sure: Floats, seen: Floats, upper: Floats) -> tuple[Floats, Floats, Floats]:
    """No correlation with the next round at all: only the variance of means (batch_means.py)."""
    one = np.ones_like(upper)
    return np.zeros_like(upper), one, one


def effective(sure: Floats, seen: Floats, upper: Floats) -> tuple[Floats, Floats, Floats]:
    """The upper bound as an effective number of rounds, nothing taken off (Bartlett 1946)."""
    return np.zeros_like(upper), *((1.0 - a) / (1.0 + a) for a in (upper, sure))  # type: ignore


def prewhitened(sure: Floats, seen: Floats, upper: Floats) -> tuple[Floats, Floats, Floats]:
    """The upper bound is taken off each round, however large (Andrews and Monahan 1992)."""
    one = np.ones_like(upper)
    return upper, one, one


WAYS: dict[str, Way] = {
    "three": three,
    "two": two,
    "near": near,
    "two+3": two,
    "near+3": near,
    "sure": sure_alone,
    "seen": seen_alone,
    "upper": upper_alone,
    "batch": batches_alone,
    "effect": effective,
    "prewh": prewhitened,
}
# Sigmas of a round that are added to the farthest mode, beyond which rounds count as `sure` says.
BEYOND_MODE = {"two+3": 3.0, "near+3": 3.0}


def student(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return np.asarray(rng.standard_t(3, shape))


def steps(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """The host gets faster or slower at one moment; the launch after it in that round has it."""
    d = normal(rng, shape)
    at = rng.integers(0, shape[1], shape[0])
    d[np.arange(shape[0]), at] += rng.choice([-1.0, 1.0], shape[0]) * 20.0
    return d


def moving_average(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Each round shares 0.8 of what disturbed the one before: correlation 0.49, then none."""
    e = rng.standard_normal((shape[0], shape[1] + 1))
    return np.asarray(e[:, 1:] + 0.8 * e[:, :-1])


def heavy_memory(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """AR(1) 0.5 of heavy tails: Student's t with three degrees of freedom."""
    d = rng.standard_t(3, shape)
    for i in range(1, shape[1]):
        d[:, i] += 0.5 * d[:, i - 1]
    return np.asarray(d)


def waves(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """One side is up to 2 sigmas slower in a wave of 12 rounds that begins anywhere."""
    phase = rng.random((shape[0], 1)) * 2.0 * math.pi
    return normal(rng, shape) + 2.0 * np.sin(phase + 2.0 * math.pi * np.arange(shape[1]) / 12.0)


def times(factor: float, make: Make) -> Make:
    return lambda rng, shape: factor * make(rng, shape)


CHOSEN: dict[str, Make] = {
    **NOISES,
    "AR(1) 0.9": autocorrelated(0.9),
    "lag 2 of 0.6": every_second(0.6),
    "30 % is AR(1) 0.97": hidden(0.3, 0.97),
    "runs": with_runs,
    "steps": steps,
    # Rounds that scatter so much that many lie farther from the centre than any known mode.
    "wide: AR(1) 0.3, scatter 10 %": times(10.0, autocorrelated(0.3)),
    "wide: AR(1) 0.9, scatter 10 %": times(10.0, autocorrelated(0.9)),
    "wide: modes 3 sigma, scatter 3 %": times(3.0, two_modes(3.0)),
    "wide: modes 3 sigma, scatter 5 %": times(5.0, two_modes(3.0)),
    "wide: normal, scatter 5 %": times(5.0, normal),
}
CHECKED: dict[str, Make] = {
    "t, 3 degrees": student,
    "normal, scatter 10 %": times(10.0, normal),
    "heavy, scatter 5 %": times(5.0, NOISES["heavy tails"]),
    "AR(1) 0.2": autocorrelated(0.2),
    "AR(1) 0.4": autocorrelated(0.4),
    "AR(1) 0.6": autocorrelated(0.6),
    "AR(1) 0.8": autocorrelated(0.8),
    "AR(1) 0.5, scatter 10 %": times(10.0, autocorrelated(0.5)),
    "AR(1) 0.7, scatter 10 %": times(10.0, autocorrelated(0.7)),
    "AR(1) 0.5 of t": heavy_memory,
    "moving average": moving_average,
    "waves of 12 rounds": waves,
    "lag 2 of 0.4": every_second(0.4),
    "10 % is AR(1) 0.95": hidden(0.1, 0.95),
    "modes 4 sigma, kept 0.8": two_modes(4.0, 0.8),
    "modes 2 sigma, kept 0.95": two_modes(2.0, 0.95),
}
INDEPENDENT = (
    "wide: normal, scatter 5 %",
    "normal", "log-normal launches", "heavy tails", "bimodal", "drifting host", "AR(1) 0.3",
    "t, 3 degrees", "normal, scatter 10 %", "heavy, scatter 5 %", "AR(1) 0.2",
)  # fmt: skip


def bets_of(d: Floats, name: str) -> Increments:
    """The bets by one of the ways, which from now on decides what is far, too."""
    past = predictable_estimates(d)
    taken, near_by, far = WAYS[name](*estimates(d))
    sigmas = BEYOND_MODE.get(name, 0.0)

    def weight_at(bets: Increments, theta: Floats) -> Floats:
        edge = FARTHEST_MODE + sigmas * bets.scale / CLIP
        is_far = np.abs(bets.x / bets.slope - theta[:, None]) > edge
        return np.where(is_far, bets.surely, bets.weight)

    def made(_d: Floats, _shared: object = None) -> Estimates:
        return replace(past, autocorrelation=taken, weight=near_by, surely=far)

    with patch.multiple(confidence_sequence, predictable_estimates=made):
        bets = increments(d)
    vars(confidence_sequence)["_winnings_exponent"] = weight_at
    return bets


def false_verdicts(d: Floats) -> dict[str, Bools]:
    zero, power = np.zeros(len(d)), round_exponents(d)
    launches = np.zeros(len(d), dtype=bool)
    for side, part in ((1.0, SHARES.slow_launches), (-1.0, SHARES.fast_launches)):
        launches |= Tails(d, 0.0, side, power).wealth >= 1.0 / (ALPHA * part)
    found = {"launches": launches}
    for name in WAYS:
        bets = bets_of(d, name)
        most = np.maximum(max_e_value(bets, zero), max_e_value(bets, zero, -1.0))
        found[name] = (most >= TARGET) | launches
    return found


def when(rich: Bools) -> Floats:
    return np.where(rich.any(axis=1), rich.argmax(axis=1) + 1.0, np.inf)


def rounds_taken(d: Floats, effect: float, unit: float) -> dict[str, Floats]:
    """The round of the verdict on an effect (a log ratio); 0: of `same` within 2 units."""
    result = {}
    for name in WAYS:
        bets = bets_of(d + effect, name)
        if effect:
            rich = e_process(bets, np.zeros(len(d))) >= TARGET
        else:
            edge = np.full(len(d), 2.0 * unit)
            rich = np.maximum.accumulate(e_process(bets, -edge), axis=1) >= TARGET
            rich &= np.maximum.accumulate(e_process(bets, edge, -1.0), axis=1) >= TARGET
        result[name] = when(rich)
    return result


def merged(parts: list[dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """What was found in each part of the series, one after the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def print_row(label: str, cells: list[str]) -> None:
    print(f"{label:42} " + " ".join(f"{cell:>8}" for cell in cells), flush=True)


def print_false(name: str, made: list[Floats]) -> None:
    found = merged([false_verdicts(d) for d in made])
    print_row(f"false: {name}", [f"{100 * found[way].mean():.2f}" for way in WAYS])
    differences = []
    for way in WAYS:
        delta = found[way].astype(float) - found["three"]
        error = delta.std() / math.sqrt(len(delta))
        differences.append(f"{delta.mean() / error:+.1f}" if error else "0")
    print_row("   paired standard errors", differences)


def print_rounds(name: str, made: list[Floats]) -> None:
    unit = float(1.4826 * np.median(np.abs(np.concatenate(made))))
    tasks = {
        "0.5 sigma": 0.5 * unit,
        "1 sigma": unit,
        "2 sigma": 2.0 * unit,
        "1.6 times": math.log(1.6),
        "same": 0.0,
    }
    for task, effect in tasks.items():
        found = merged([rounds_taken(d, effect, unit) for d in made])
        cells = [f"{np.median(found[w]):.0f}/{100 * (found[w] <= 40).mean():.1f}" for w in WAYS]
        print_row(f"rounds: {name}, {task}", cells)


def main(arguments: list[str] | None = None) -> bool:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=50)
    parser.add_argument("--set", default="chosen", choices=("chosen", "checked"))
    parser.add_argument("--series", type=int, default=4_000)
    parser.add_argument("--rows", default="")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--ways", default="")
    asked = parser.parse_args(arguments or [])
    if asked.ways:
        for name in set(WAYS) - {"three", *asked.ways.split(",")}:  # the others are held against it
            del WAYS[name]
    print_row("", list(WAYS))
    for number, (name, make) in enumerate((CHOSEN if asked.set == "chosen" else CHECKED).items()):
        rng = np.random.default_rng([asked.seed, number])
        if asked.rows not in name:
            continue
        chunks = max(1, asked.series // AT_ONCE)
        made = [SCATTER * make(rng, (AT_ONCE, asked.rounds)) for _ in range(chunks)]
        print_false(name, made)
        if name in INDEPENDENT:
            print_rounds(name, made[: max(1, chunks // 4)])
    return True


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
