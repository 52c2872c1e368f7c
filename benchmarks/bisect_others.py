"""What others find in the same histories: git bisect, and git bayesect if it is installed.

    python -m benchmarks.bisect_others [--histories 200] [--seed 1000000]

Both are told half the true slowdown, which no user knows: a round beyond it is a failure.
Only histories in which they can be right: without merges, since git bayesect follows first
parents; with a culprit, since both take BAD for slow; all commits build, since a skipped commit
makes git bayesect 1.2 divide by nought. `pip install git-bayesect`.
"""

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from assay.judge.bisection.settings import SearchSettings
from benchmarks.bisect_histories import NOISES, PLAIN, UNDONE, History, history
from benchmarks.bisect_simulation import searched

Method = Callable[[History, np.random.Generator], tuple[bool, int]]
MOST_ROUNDS = 600


def main(histories: int, seed: int) -> None:
    made = [history(seed + i) for i in range(histories)]
    asked = [
        (i, one) for i, one in enumerate(made) if one.kind in (PLAIN, UNDONE) and not one.merges
    ]
    methods: dict[str, Method] = {"assay": assay}
    methods |= {f"git bisect, {n} rounds each": partial(git_bisect, count=n) for n in (1, 5, 15)}
    try:
        import git_bayesect  # noqa: F401

        methods["git bayesect, at 95 %"] = git_bayesect_search
    except ImportError:
        print("git bayesect is not installed")
    print(f"{len(asked)} of {histories} histories from seed {seed}")
    for name, method in methods.items():
        found = [method(one, np.random.default_rng([3, seed + i])) for i, one in asked]
        right, rounds = np.mean(found, axis=0)
        print(f"{name:28} right {right:6.1%}, rounds {rounds:6.1f}")


def assay(made: History, rng: np.random.Generator) -> tuple[bool, int]:
    answer, _ = searched(made, SearchSettings(), rng)
    return str(made.culprit) in answer.commits, answer.rounds


def git_bisect(made: History, rng: np.random.Generator, count: int) -> tuple[bool, int]:
    """The middle one; slow if the median of its rounds says so."""
    left, right, rounds = -1, len(made.parents) - 1, 0  # left is not slow, right is
    while right - left > 1:
        middle = (left + right) // 2
        rounds += count
        slow = np.median(made.rounds(rng, middle, count)) > np.log1p(made.size) / 2.0
        left, right = (left, middle) if slow else (middle, right)
    return right == made.culprit, rounds


def git_bayesect_search(made: History, rng: np.random.Generator) -> tuple[bool, int]:
    """Its own class decides what to measure and when to end; its index 0 is BAD."""
    from git_bayesect import Bisector

    commits, rounds = len(made.parents), 0
    search = Bisector([1.0] * (commits + 1))  # the last is GOOD
    while rounds < MOST_ROUNDS and search.distribution.max() < 0.95:
        index = int(search.select())
        commit = commits - 1 - index
        rounds += 1
        good = made.scale * float(NOISES[made.noise].draw(rng, 1)[0])
        ratio = float(made.rounds(rng, commit, 1)[0]) if commit >= 0 else good
        search.record(index, ratio > np.log1p(made.size) / 2.0)
    return commits - 1 - int(search.distribution.argmax()) == made.culprit, rounds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1_000_000)
    args = parser.parse_args()
    main(args.histories, args.seed)
