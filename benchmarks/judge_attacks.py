"""How often the judge is wrong where noise has a memory, runs, or another shape.

    ./dev bench judge_attacks
    python -m benchmarks.judge_attacks [--seed N] [--rows TEXT] [--size 0.1]

Each row is a world in which nothing changed (or nothing got better), and the share of suites
in which something is called changed all the same, at a nominal 5 %. Suites are judged by the
judge's own code at every round up to the last. "beyond": a memory longer than the one up to which
the promise is made (docs/decisions/0046-what-the-verdict-rests-on.md). The constants of the judge
were tuned with seeds below 100; the default seed is another. One process, about ten minutes.
"""

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "support")]

from judging import SCATTER, autocorrelated, normal, rounds_of, two_modes  # noqa: E402

from assay.judge.paired.confidence_sequence import increments, max_e_value  # noqa: E402
from assay.judge.paired.suite_autocorrelation import shared_autocorrelation  # noqa: E402
from assay.judge.paired.tails import Tails, round_exponents  # noqa: E402
from assay.judge.share import IN_FAMILY  # noqa: E402
from assay.judge.verdict import judge  # noqa: E402
from assay.model import Pair, Settings, Verdict  # noqa: E402

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Make = Callable[[np.random.Generator, tuple[int, int]], Floats]
ALPHA, ROUNDS, ALLOWED = 0.05, 100, 0.05
PROMISED_MEMORY = "AR(1) 0.9"


class Row(NamedTuple):
    """One attack: what is drawn, how many comparisons a suite has, how many suites."""

    name: str
    family: int
    suites: int
    false: Callable[[np.random.Generator, int, int], int]  # of so many suites of a family
    is_promised: bool = True  # False: a memory beyond the one up to which 5 % are promised


def hidden(share: float, memory: float) -> Make:
    """White noise, of whose variance a share remembers: AR(1) of it with that memory."""

    def make(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
        slow = autocorrelated(memory)(rng, shape) * math.sqrt(1.0 - memory**2)
        return np.asarray(
            math.sqrt(1.0 - share) * rng.standard_normal(shape) + math.sqrt(share) * slow
        )

    return make


def every_second(share: float) -> Make:
    """Each round repeats a share of the one before the last."""

    def make(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
        d = rng.standard_normal(shape)
        d[:, :2] /= math.sqrt(1.0 - share**2)
        for i in range(2, shape[1]):
            d[:, i] += share * d[:, i - 2]
        return d

    return make


def one_is_autocorrelated(memory: float) -> Make:
    """One benchmark of the suite is AR(1), the others are white."""

    def make(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
        d = normal(rng, shape)
        d[:1] = autocorrelated(memory)(rng, (1, shape[1]))
        return d

    return make


def with_runs(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """In 1 of 100 rounds one of the sides begins to be 30 % slower, for 6 to 12 rounds."""
    d = normal(rng, shape)
    for row, column in np.argwhere(rng.random(shape) < 0.01).tolist():
        side = rng.choice([-1.0, 1.0])
        d[row, column : column + int(rng.integers(6, 13))] += side * math.log(1.3) / SCATTER
    return d


def centres_and_launches(make: Make, margin: float) -> Callable[..., int]:
    """Suites in which the centre or the slow launches are ever found changed."""

    def false(rng: np.random.Generator, family: int, suites: int) -> int:
        if family == 1:
            return int(alarmed(SCATTER * make(rng, (suites, ROUNDS)), 1, None, margin).sum())
        found = 0
        for _ in range(suites):
            d = SCATTER * make(rng, (family, ROUNDS))
            found += bool(alarmed(d, family, autocorrelation_as_known(d), margin).any())
        return found

    return false


def autocorrelation_as_known(d: Floats) -> Floats:
    """What a suite was known to echo at each of its rounds: NaN before anybody could know."""
    known = np.full(d.shape, np.nan)
    now = 1
    while now < d.shape[1]:
        then = now + max(1, now // 7)
        autocorrelation = shared_autocorrelation([d[:, :now]], len(d))
        known[:, now:then] = np.nan if autocorrelation is None else autocorrelation
        now = then
    return known


def alarmed(d: Floats, family: int, autocorrelation: Floats | None, margin: float) -> Bools:
    """Of each series, at the level of one of a family."""
    bets, level, power = (
        increments(d, autocorrelation),
        ALPHA / family,
        round_exponents(d, autocorrelation),
    )
    found = np.zeros(len(d), dtype=bool)
    parts = IN_FAMILY.slow_launches, IN_FAMILY.fast_launches
    for side, part in zip((1.0, -1.0), parts, strict=True):
        edge = math.log1p(side * margin)
        most = max_e_value(bets, np.full(len(d), edge), side)
        found |= most >= 2.0 / (level * IN_FAMILY.centre)
        found |= Tails(d, edge, side, power).wealth >= 1.0 / (level * part)
    return found


def slow_samples_in_a_row(memory: float) -> Callable[..., int]:
    """Three samples of nine are calm; the excess of the others is AR(1) from round to round."""

    def false(rng: np.random.Generator, family: int, suites: int) -> int:
        return sum(
            any(
                one.verdict.is_change
                for one in judged([_autocorrelated_samples(rng, memory) for _ in range(family)])
            )
            for _ in range(suites)
        )

    return false


def _autocorrelated_samples(rng: np.random.Generator, memory: float) -> Pair:
    shape = 60, 9
    noise = 1.0 + SCATTER * rng.standard_normal((2, *shape))
    excess = 0.1 * autocorrelated(memory)(rng, (2, shape[0])) * math.sqrt(1.0 - memory**2)
    noise[:, :, 3:] *= np.exp(0.2 + excess)[:, :, None]
    base, candidate = (100.0 * noise).tolist()
    return rounds_of(base, candidate)


def scattered(slower: float, base: float, candidate: float) -> Callable[..., int]:
    """`faster` or not, where samples of the candidate scatter more about no better a mean."""

    def false(rng: np.random.Generator, family: int, suites: int) -> int:
        found = 0
        for _ in range(suites):
            one, other = (
                100.0 * (1.0 + more) * (1.0 + sd * rng.standard_normal((40, 15)))
                for more, sd in ((0.0, base), (slower, candidate))
            )
            found += judged([rounds_of(one.tolist(), other.tolist())])[0].verdict is Verdict.FASTER
        return found

    return false


def judged(pairs: list[Pair]):  # type: ignore[no-untyped-def]
    return judge(pairs, Settings()).comparisons


def rows() -> list[Row]:
    memories = {
        "30 % of the variance AR(1) 0.97": hidden(0.3, 0.97),
        "lag 2 of 0.6": every_second(0.6),
        "modes 3 sigma apart, kept with 0.97": two_modes(3.0, 0.97),
        PROMISED_MEMORY: autocorrelated(0.9),
    }
    found = [
        Row(
            name,
            family,
            2_000 if family == 1 else 200,
            centres_and_launches(make, 0.0),
            name == PROMISED_MEMORY,
        )
        for name, make in memories.items()
        for family in (1, 5, 20)
    ]
    found += [
        Row(
            "one of all AR(1) 0.9",
            family,
            300,
            centres_and_launches(one_is_autocorrelated(0.9), 0.0),
            False,
        )
        for family in (5, 20)
    ]
    found += [
        Row(
            "runs of slow launches, margin 2 %",
            family,
            suites,
            centres_and_launches(with_runs, 0.02),
        )
        for family, suites in ((1, 2_000), (20, 200))
    ]
    found += [
        Row(f"slow samples AR(1) {memory}", 1, 300, slow_samples_in_a_row(memory))
        for memory in (0.8, 0.9)
    ]
    found += [
        Row("scatter 5 % for 1 %, `faster`", 1, 100, scattered(0.0, 0.01, 0.05)),
        Row("5 % slower, scatter 10 % for 1 %, `faster`", 1, 100, scattered(0.05, 0.01, 0.10)),
    ]
    return found


def main(arguments: list[str] | None = None) -> bool:
    """Print the table; False where a row is beyond what is allowed plus its sampling error."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=3131)
    parser.add_argument("--rows", default="")
    parser.add_argument("--size", type=float, default=1.0)
    asked = parser.parse_args(arguments or [])
    kept = [_printed(row, asked.seed, asked.size) for row in rows() if asked.rows in row.name]
    return all(kept)


def _printed(row: Row, seed: int, size: float) -> bool:
    suites = max(20, int(row.suites * size))
    found = row.false(np.random.default_rng([seed, row.family]), row.family, suites)
    error = math.sqrt(ALLOWED * (1.0 - ALLOWED) / suites)
    kept = found / suites <= ALLOWED + 2.0 * error
    said = "kept  " if kept else "BROKEN" if row.is_promised else "beyond"
    print(
        f"  {said} {row.name:45} of {row.family:<3} {found / suites:6.1%} of {suites}",
        flush=True,
    )
    return kept or not row.is_promised


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
