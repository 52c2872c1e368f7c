"""Searches on fixed histories ask and answer what they did when their constants were chosen.

Priors, grids and limits were chosen on thousands of simulated histories (decision 34), which no
test repeats. A changed constant shows here: whoever changes one on purpose has the numbers anew.
"""

import math
from typing import NamedTuple

import pytest

from assay.bisection import BisectionAnswer
from assay.judge.bisection.graph import CommitGraph, graph_of
from assay.judge.bisection.search import Search, Step
from assay.judge.bisection.settings import SearchSettings


class History(NamedTuple):
    """A line of commits: from each of `levels` on, how much slower they are, as a log ratio."""

    commits: int
    levels: dict[int, float]
    broken: tuple[str, ...] = ()
    scatter: float = 0.01
    settings: SearchSettings = SearchSettings()


class Told(NamedTuple):
    """The steps of the whole search, in order, and its answer."""

    steps: str  # each a commit and how many rounds of it
    commits: tuple[str, ...]
    numbers: tuple[float, float, float, float]  # probability, size, its error, several
    levels: list[tuple[float, float]]  # before and after each change, if there were several


def line(commits: int) -> CommitGraph:
    names = [f"c{i}" for i in range(commits)]
    return graph_of({c: names[max(i - 1, 0) : i] for i, c in enumerate(names)}, names[-1])


def rounds(history: History, commit: str, done: int, count: int) -> list[float]:
    """Rounds without chance, which a random generator of another version would change."""
    number = int(commit[1:])
    level = next(level for first, level in reversed(history.levels.items()) if number >= first)
    layout = 0.002 * math.sin(7 * number)
    noise = [math.sin(3.7 * (done + i) ** 1.3) for i in range(count)]
    return [level + layout + history.scatter * one for one in noise]


def searched(history: History) -> tuple[str, BisectionAnswer]:
    search, asked, done = Search(line(history.commits), history.settings), [], 0
    while isinstance(step := search.next(), Step):
        asked.append(f"{step.commit}:{step.rounds}")
        if step.commit in history.broken:
            search = search.with_broken(step.commit)
            continue
        search = search.with_rounds(step.commit, rounds(history, step.commit, done, step.rounds))
        done += step.rounds
    return " ".join(asked), step


TOLD: dict[str, tuple[History, Told]] = {
    "one rise": (
        History(24, {0: 0.0, 9: 0.04}),
        Told(
            ("c23:1 c12:1 c6:1 c9:1 c7:1 c8:1 c9:1 c23:1 c8:1"),
            ("c9",),
            (0.9855, 0.043477, 0.0042789, 0.015422),
            [],
        ),
    ),
    "a rise of which a part was taken back": (
        History(24, {0: 0.0, 5: 0.3, 15: 0.1}),
        Told(
            ("c23:1 c12:1 c19:1 c6:1 c2:1 c4:1 c5:1 c17:1 c15:1 c14:1 c23:1 c5:1 c4:1"),
            ("c5",),
            (0.98773, 0.097708, 0.0034669, 0.99809),
            [(-0.001718, 0.2973), (0.297, 0.09772)],
        ),
    ),
    "a rise beside a broken commit": (
        History(24, {0: 0.0, 9: 0.04}, ("c8",)),
        Told(
            ("c23:1 c12:1 c6:1 c9:1 c7:1 c8:1 c9:1 c23:1 c7:1"),
            ("c8", "c9"),
            (0.98473, 0.037675, 0.0040978, 0.011051),
            [],
        ),
    ),
    "no rise": (
        History(12, {0: 0.0}),
        Told(
            ("c11:1 c11:1 c11:2 c11:4 c11:4"),
            (),
            (0.99977, 0.00085888, 0.0017533, 0.0),
            [],
        ),
    ),
    "no rise among wild rounds": (
        History(12, {0: 0.0}, scatter=0.2),
        Told(
            ("c11:1 c11:1 c10:1 c11:1 c6:1 c11:1 c11:4 c11:8 c11:16 c11:32 c11:12"),
            (),
            (0.96047, 0.035219, 0.030099, 0.22045),
            [],
        ),
    ),
    "a rise that was undone before another": (
        History(40, {0: 0.0, 8: 0.05, 12: 0.0, 30: 0.05}),
        Told(
            ("c39:1 c20:1 c29:1 c34:1 c31:1 c30:1 c29:1 c39:1 c30:1"),
            ("c30",),
            (0.99746, 0.046514, 0.0039669, 0.042015),
            [],
        ),
    ),
    "a large rise": (
        History(16, {0: 0.0, 6: 1.5}, scatter=0.05),
        Told(
            ("c15:1 c7:1 c3:1 c5:1 c6:1 c15:1 c6:1 c5:1"),
            ("c6",),
            (0.9922, 1.5085, 0.00017977, 0.017524),
            [],
        ),
    ),
    "two rises": (
        History(30, {0: 0.0, 7: 0.1, 20: 0.2}),
        Told(
            ("c29:1 c15:1 c10:1 c5:1 c24:1 c20:1 c18:1 c19:1 c29:1 c20:1 c19:1"),
            ("c20",),
            (0.99729, 0.19552, 0.00439, 0.99746),
            [(0.0006453, 0.1001), (0.1002, 0.1956)],
        ),
    ),
    "builds that cost": (
        History(24, {0: 0.0, 9: 0.04}, scatter=0.03, settings=SearchSettings(build_cost=20.0)),
        Told(
            ("c23:1 c23:1 c23:1 c12:2 c12:1 c12:1 c6:3 c6:1 c6:1 c6:1 c12:1 c9:6 c7:6 c8:4 c23:2"),
            ("c9",),
            (0.97835, 0.04786, 0.0074546, 0.077665),
            [],
        ),
    ),
    "a budget that ends it": (
        History(64, {0: 0.0, 40: 0.03}, scatter=0.1, settings=SearchSettings(budget_rounds=40)),
        Told(
            (
                "c63:1 c35:1 c50:1 c42:1 c37:1 c40:1 c63:1 c43:1 c41:1 c42:1 c41:1 "
                "c42:1 c56:1 c13:1 c1:1 c63:2 c63:4 c42:1 c63:3 c63:6 c62:1 c63:2 c63:1 "
                "c62:1 c62:1 c61:1 c61:1 c63:1"
            ),
            (),
            (0.8447, 0.03153, 0.013263, 0.14241),
            [],
        ),
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_the_search_goes_as_it_went(name: str) -> None:
    history, told = TOLD[name]
    steps, answer = searched(history)
    numbers = (answer.probability, answer.size, answer.size_error, answer.several)
    assert (steps, answer.commits) == (told.steps, told.commits)
    assert len(answer.others) == 5
    # Single precision and cancellation leave another last digit on another processor.
    assert numbers == pytest.approx(told.numbers, rel=1e-3, abs=3e-4)
    assert [(one.before, one.then) for one in answer.parts] == [
        pytest.approx(one, abs=5e-4) for one in told.levels
    ]
