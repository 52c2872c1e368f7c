"""Made-up histories with one change or several, with drift and weather, and what measuring gives.

A third has one change, a third two to five (rises, partial repairs, full ones), and a third one to
three with drift or weather besides. In a fifth of all some commits do not build or crash.

The culprit is the last lasting rise: the level before it is lower than BAD's by what is worth a
search, and by an eighth of what BAD is slower than GOOD, and no later level is. Histories in which
that hangs on a hair are drawn again. Nothing of `assay.judge` is used here: what is to be found is
not known to the search.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.bisect_histories import (
    BROKEN,
    NOISES,
    PLAIN,
    History,
    broken_commits,
    contained,
    with_merges,
)

Floats = NDArray[np.float64]
Rng = np.random.Generator

ONE, SEVERAL, WEATHER = "one change", "two to five", "drift or weather"
KINDS = (ONE, SEVERAL, WEATHER)
_SMALLEST, _LARGEST = 0.03, 0.3  # rises, as log ratios
_RISE, _SHARE = 0.014, 1.0 / 8.0  # a rise that counts: of so much, and so much of the difference
_HAIR = 0.5  # nearer to that than this: drawn again
_SPELL, _SPELLS = 6.0, 0.1  # rounds of a spell of weather; share of all rounds
_WILDER, _SHIFTED = 3.0, 0.01  # in a spell rounds scatter more, and all are shifted
_CREEPS, _CREEP = 12, 0.002  # changes of a drift, too small to be worth a search


class Changed(NamedTuple):
    """A history, and what changed in it."""

    kind: str
    history: History
    changes: tuple[tuple[int, float], ...]  # commit, by how much the log ratio changed
    has_spells: bool


class Session:
    """Measures one history; weather passes over it as rounds are made."""

    def __init__(self, made: Changed, rng: Rng) -> None:
        self._made, self._rng, self._left, self._shift = made, rng, 0, 0.0

    def rounds(self, commit: int, count: int) -> list[float]:
        return [self._round(commit) for _ in range(count)]

    def _round(self, commit: int) -> float:
        made, rng = self._made.history, self._rng
        noise = made.scale * float(NOISES[made.noise].draw(rng, 1)[0])
        if not self._made.has_spells:
            return float(made.effect[commit]) + noise
        self._left -= 1
        if self._left < 0 and rng.random() < _SPELLS / _SPELL:
            self._left, self._shift = (
                int(rng.poisson(_SPELL)),
                _SHIFTED * float(rng.standard_normal()),
            )
        if self._left < 0:
            return float(made.effect[commit]) + noise
        return float(made.effect[commit]) + self._shift + _WILDER * noise


def changed(seed: int) -> Changed:
    rng = np.random.default_rng([29, seed])
    kind = KINDS[seed % len(KINDS)]
    commits = round(float(np.exp(rng.uniform(np.log(64), np.log(1025)))))
    merges = bool(rng.random() < 0.5)
    parents = (
        with_merges(rng, commits) if merges else [[i - 1] if i else [] for i in range(commits)]
    )
    contains = contained(parents)
    line = _main_line_order(parents, contains)
    while True:
        changes = _changes(rng, kind, contains, line)
        culprit = _culprit([size for _, size in changes])
        if culprit is not None:
            break
    layout = float(rng.uniform(0.0005, 0.004))
    level = contains[:, [commit for commit, _ in changes]] @ np.array([one for _, one in changes])
    creeps = kind == WEATHER and rng.random() < 0.5
    if creeps:
        level = level + contains[:, rng.choice(commits, _CREEPS, replace=False)] @ (
            _CREEP * rng.standard_normal(_CREEPS)
        )
    good_layout = float(layout * rng.standard_normal())
    at = changes[culprit][0]
    is_broken = rng.random() < 0.2
    history = History(
        kind=BROKEN if is_broken else PLAIN, parents=parents, merges=merges, culprit=at,
        contains=contains, effect=level + layout * rng.standard_normal(commits) - good_layout,
        episode=np.zeros(commits, dtype=np.bool_),
        broken=broken_commits(rng, commits, at) if is_broken else frozenset(),
        size=float(np.expm1(changes[culprit][1])),
        scale=float(np.exp(rng.uniform(np.log(0.005), np.log(0.03)))),
        layout=layout, good_layout=good_layout, noise=str(rng.choice(list(NOISES))),
    )  # fmt: skip
    return Changed(kind, history, tuple(changes), kind == WEATHER and not creeps)


def _changes(
    rng: Rng, kind: str, contains: NDArray[np.bool_], line: list[int]
) -> list[tuple[int, float]]:
    """In the order in which the main line got them."""
    number = {ONE: 1, SEVERAL: int(rng.integers(2, 6)), WEATHER: int(rng.integers(1, 4))}[kind]
    places = sorted(rng.choice(len(line), number, replace=False).tolist())
    found: list[tuple[int, float]] = []
    left: dict[int, float] = {}  # rises, and how much of them is there
    for commit in (line[place] for place in places):
        before = [one for one in left if contains[commit, one]]
        if before and rng.random() < 0.5:
            of = int(rng.choice(before))
            share = 1.0 if rng.random() < 0.5 else float(rng.uniform(0.3, 0.7))
            size = -share * left[of]
            left[of] += size
            if share == 1.0:
                del left[of]
        else:
            size = float(np.exp(rng.uniform(np.log(_SMALLEST), np.log(_LARGEST))))
            left[commit] = size
        found.append((commit, size))
    return found


def _culprit(sizes: list[float]) -> int | None:
    """The last lasting rise; None where BAD is not slower, or it hangs on a hair."""
    levels = np.cumsum([0.0, *sizes])
    counts = max(_RISE, _SHARE * float(levels[-1]))
    if levels[-1] < _SMALLEST:
        return None
    below = levels[-1] - levels[:-1]  # how much lower than BAD the level was before each change
    if any(_HAIR * counts < one < counts / _HAIR for one in below):
        return None
    return int(np.nonzero(below >= counts)[0][-1])


def _main_line_order(parents: list[list[int]], contains: NDArray[np.bool_]) -> list[int]:
    main = [len(parents) - 1]
    while parents[main[-1]]:
        main.append(parents[main[-1]][0])
    main.reverse()
    first = {
        c: next(i for i, one in enumerate(main) if contains[one, c]) for c in range(len(parents))
    }
    return sorted(range(len(parents)), key=lambda commit: (first[commit], commit))
