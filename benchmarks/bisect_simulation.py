"""Is the commit found that made a benchmark slower? 1,000 generated histories, without processes.

    ./dev bench bisect_simulation
    python -m benchmarks.bisect_simulation [--histories 200] [--seed 1000000] [--build-cost 20]

Histories: `bisect_histories`; the oracle and the bound: `bisect_oracle`. Constants of the search
were tuned on histories with seeds below 100,000; the default seed is of others.
Promised: right in 95 %, stated probabilities within 3 points of that, and at most 1.5
times the oracle's rounds. Takes about 10 minutes on two processors.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from assay.judge.bisection.graph import Graph
from assay.judge.bisection.search import Answer, Search, Step
from assay.judge.bisection.settings import Settings
from benchmarks.bisect_histories import BROKEN, CRASHING, NONE, PLAIN, UNDONE, History, history
from benchmarks.bisect_oracle import least_rounds, oracle

HISTORIES, SEED = 1_000, 1_000_000
BINS = (0.0, 0.95, 0.97, 0.99, 1.0001)
TARGET = 0.95


class Outcome(NamedTuple):
    """Of one history."""

    seed: int
    kind: str
    merges: bool
    scale: float
    right: bool
    stated: float
    settled: bool
    commits: int  # in the answer
    rounds: int
    steps: int
    oracle_right: bool
    oracle_rounds: int
    least_rounds: float


class Task(NamedTuple):
    seed: int
    build_cost: float
    opponents: bool


def main(histories: int = HISTORIES, seed: int = SEED, build_cost: float = 0.0) -> bool:
    tasks = [Task(seed + i, build_cost, opponents=True) for i in range(histories)]
    with ProcessPoolExecutor(2) as pool:
        outcomes = list(pool.map(simulate, tasks, chunksize=4))
    print(f"{histories} histories from seed {seed}, a build costs {build_cost:g} rounds")
    print_kinds(outcomes)
    print_calibration(outcomes)
    return print_rounds(outcomes)


def simulate(task: Task) -> Outcome:
    made, settings = history(task.seed), Settings(target=TARGET, build_cost=task.build_cost)
    rng = np.random.default_rng([1, task.seed])
    answer, steps = searched(made, settings, rng)
    truth = () if made.culprit is None else (str(made.culprit),)
    right = set(truth) <= set(answer.commits) if truth else not answer.commits
    asked = oracle(made, np.random.default_rng([2, task.seed]), TARGET, settings.none)
    return Outcome(
        task.seed, made.kind, made.merges, made.scale, right, answer.probability, answer.settled,
        len(answer.commits), answer.rounds, steps, *asked,
        least_rounds(made, settings.none, 1.0 - TARGET),
    )  # fmt: skip


def searched(
    made: History, settings: Settings, rng: np.random.Generator
) -> tuple[Answer, int]:
    """The answer, and how many commits were built or tried."""
    names = tuple(str(i) for i in range(len(made.parents)))
    search = Search(Graph(names, tuple(tuple(p) for p in made.parents)), settings)
    steps = 0
    while isinstance(step := search.next(), Step):
        steps += 1
        commit = int(step.commit)
        if commit in made.broken:
            search = search.with_broken(step.commit)
        else:
            search = search.with_rounds(step.commit, made.rounds(rng, commit, step.rounds).tolist())
    return step, steps


def print_kinds(outcomes: Sequence[Outcome]) -> None:
    print(f"{'histories':24} {'number':>6} {'right':>7} {'stated':>7} {'rounds':>7} {'oracle':>7} {'right':>7}")
    rows: dict[str, Callable[[Outcome], bool]] = {
        "all": lambda o: True,
        "with merges": lambda o: o.merges,
        "without merges": lambda o: not o.merges,
        "scale below 1 %": lambda o: o.scale < 0.01,
        "scale 1 % to 2 %": lambda o: 0.01 <= o.scale < 0.02,
        "scale above 2 %": lambda o: o.scale >= 0.02,
        **{kind: (lambda o, kind=kind: o.kind == kind) for kind in (PLAIN, BROKEN, CRASHING, UNDONE, NONE)},
    }
    for name, belongs in rows.items():
        if these := [o for o in outcomes if belongs(o)]:
            print(f"{name:24} {len(these):6} {share(these):7.1%} {mean(o.stated for o in these):7.1%} "
                  f"{mean(o.rounds for o in these):7.1f} {mean(o.oracle_rounds for o in these):7.1f} "
                  f"{mean(o.oracle_right for o in these):7.1%}")  # fmt: skip


def print_calibration(outcomes: Sequence[Outcome]) -> None:
    print("stated probability      number    mean   right")
    for low, high in zip(BINS, BINS[1:], strict=False):
        if these := [o for o in outcomes if low <= o.stated < high]:
            print(f"{low:8.0%} to {min(high, 1):4.0%}  {len(these):12} {mean(o.stated for o in these):7.1%} {share(these):7.1%}")
    unsettled = sum(not o.settled for o in outcomes)
    print(f"not settled: {unsettled}; answers of several commits: {sum(o.commits > 1 for o in outcomes)}")


def print_rounds(outcomes: Sequence[Outcome]) -> bool:
    ratio = sum(o.rounds for o in outcomes) / sum(o.oracle_rounds for o in outcomes)
    least = sum(o.rounds for o in outcomes) / sum(o.least_rounds for o in outcomes)
    each = np.median([o.rounds / o.oracle_rounds for o in outcomes])
    steps = mean(o.steps for o in outcomes)
    print(f"rounds: {ratio:.2f} x the oracle's (median of each history {each:.2f}), {least:.2f} x the bound; steps {steps:.1f}")
    off = mean(o.stated for o in outcomes) - share(outcomes)
    print(f"right {share(outcomes):.1%}, stated {off * 100.0:+.1f} points more")
    return share(outcomes) >= 0.95 and abs(off) <= 0.03 and ratio <= 1.5


def share(outcomes: Sequence[Outcome]) -> float:
    return mean(o.right for o in outcomes)


def mean(values: object) -> float:
    return float(np.mean(list(values)))  # type: ignore[call-overload]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=HISTORIES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--build-cost", type=float, default=0.0)
    args = parser.parse_args()
    sys.exit(0 if main(args.histories, args.seed, args.build_cost) else 1)
