"""Made-up histories with one slow commit, or none, and what measuring them would give.

Nothing of `assay.judge` is used here: what is to be found is not known to the search.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rng = np.random.Generator

PLAIN, BROKEN, CRASHING, UNDONE, NONE = "plain", "does not build", "crashes", "undone", "no culprit"
_SPECIAL = (BROKEN, CRASHING, UNDONE)
_OUTLIERS, _WILD = 0.05, 8.0  # share of rounds that are so much wilder


class Noise(NamedTuple):
    """How rounds of one commit scatter, in units of the history's scale."""

    draw: Callable[[Rng, int], Floats]
    density: Callable[[Floats], Floats]


def _student(degrees: float) -> Noise:
    top = {3.0: 0.3675525969, 5.0: 0.3796066898}[degrees]  # density at nought
    return Noise(
        lambda rng, n: np.asarray(rng.standard_t(degrees, n)),
        lambda z: np.asarray(top * (1.0 + z * z / degrees) ** (-0.5 * (degrees + 1.0))),
    )


def _normal(z: Floats, scale: float = 1.0) -> Floats:
    return np.asarray(np.exp(-0.5 * np.square(z / scale)) / (scale * np.sqrt(2.0 * np.pi)))


def _wild(rng: Rng, n: int) -> Floats:
    return np.asarray(rng.standard_normal(n) * np.where(rng.random(n) < _OUTLIERS, _WILD, 1.0))


NOISES = {
    "t, 3 degrees": _student(3.0),
    "t, 5 degrees": _student(5.0),
    "normal": Noise(lambda rng, n: rng.standard_normal(n), _normal),
    "5 % of rounds 8 times as wild": Noise(
        _wild, lambda z: np.asarray((1.0 - _OUTLIERS) * _normal(z) + _OUTLIERS * _normal(z, _WILD))
    ),
}


class History(NamedTuple):
    """Commits are numbered, parents first; the last is BAD."""

    kind: str
    parents: list[list[int]]
    merges: bool
    culprit: int | None
    contains: NDArray[np.bool_]  # row i, column c: commit i contains commit c
    effect: Floats  # of each commit against GOOD, as a log ratio, with both layouts
    episode: NDArray[np.bool_]  # commits that are slow by what was undone
    broken: frozenset[int]
    size: float
    scale: float
    layout: float
    good_layout: float
    noise: str

    def rounds(self, rng: Rng, commit: int, count: int) -> Floats:
        """Log ratios of as many interleaved rounds."""
        return np.asarray(self.effect[commit] + self.scale * NOISES[self.noise].draw(rng, count))


def history(seed: int) -> History:
    rng = np.random.default_rng([34, seed])
    kind = NONE if rng.random() < 0.1 else PLAIN
    if rng.random() < 0.2:
        kind = kind if kind == NONE else str(rng.choice(_SPECIAL))
    merges = bool(rng.random() < 0.5)
    commits = round(float(np.exp(rng.uniform(np.log(64), np.log(1025)))))
    parents = (
        with_merges(rng, commits) if merges else [[i - 1] if i else [] for i in range(commits)]
    )
    contains = contained(parents)
    size, layout = float(rng.uniform(0.03, 0.05)), float(rng.uniform(0.0005, 0.004))
    culprit = None if kind == NONE else int(rng.integers(commits))
    slow = np.zeros(commits) if culprit is None else size * contains[:, culprit]
    # Of the histories without a culprit, a third had one that was undone.
    was_undone = kind == UNDONE or (kind == NONE and rng.random() < 1 / 3)
    episode, other = _episode(rng, contains, size, was_undone)
    good_layout = float(layout * rng.standard_normal())
    effect = (
        np.log1p(slow)
        + np.log1p(other * episode)
        + layout * rng.standard_normal(commits)
        - good_layout
    )
    return History(
        kind=kind, parents=parents, merges=merges, culprit=culprit, contains=contains,
        effect=effect, episode=episode,
        broken=broken_commits(rng, commits, culprit) if kind in (BROKEN, CRASHING) else frozenset(),
        size=size, scale=float(np.exp(rng.uniform(np.log(0.005), np.log(0.03)))),
        layout=layout, good_layout=good_layout, noise=str(rng.choice(list(NOISES))),
    )  # fmt: skip


def with_merges(rng: Rng, commits: int) -> list[list[int]]:
    """A main line into which branches of 1 to 15 commits are merged, two at a time at most."""
    parents: list[list[int]] = [[]]
    main, line = 0, [0]
    while len(parents) < commits:
        room = commits - len(parents) - 1
        if room < 2 or rng.random() < 0.4:
            parents.append([main])
        else:
            tip = line[-int(rng.integers(1, min(len(line), 10) + 1))]
            for _ in range(int(rng.integers(1, min(room, 15) + 1))):
                if len(parents) >= commits - 1:
                    break
                parents.append([tip])
                tip = len(parents) - 1
                if rng.random() < 0.2 and len(parents) < commits - 1:  # meanwhile, on the main line
                    parents.append([main])
                    main = len(parents) - 1
                    line.append(main)
            parents.append([main, tip])
        main = len(parents) - 1
        line.append(main)
    return parents


def contained(parents: list[list[int]]) -> NDArray[np.bool_]:
    rows = np.eye(len(parents), dtype=np.bool_)
    for commit, before in enumerate(parents):
        for parent in before:
            rows[commit] |= rows[parent]
    return rows


def _episode(
    rng: Rng, contains: NDArray[np.bool_], size: float, was_undone: bool
) -> tuple[NDArray[np.bool_], float]:
    """A slowdown and what undid it, anywhere; half of them of the culprit's size (a reland)."""
    if not was_undone:
        return np.zeros(len(contains), dtype=np.bool_), 0.0
    undoing = int(rng.integers(1, len(contains)))
    began = int(rng.choice(np.nonzero(contains[undoing, :undoing])[0]))
    slow = contains[:, began] & ~contains[:, undoing]
    slow[-1] = False  # a branch merged at the very end may not bring it back
    return slow, size if rng.random() < 0.5 else float(rng.uniform(0.03, 0.05))


def broken_commits(rng: Rng, commits: int, culprit: int | None) -> frozenset[int]:
    """Runs of commits that cannot be measured; BAD can. Half the time one is at the culprit."""
    broken: set[int] = set()
    for number in range(int(rng.integers(1, 6))):
        length = int(rng.integers(1, max(2, commits // 12)))
        at = int(rng.integers(commits))
        if number == 0 and culprit is not None and rng.random() < 0.5:
            length = int(rng.integers(1, 8))
            at = culprit - int(rng.integers(length + 1))
        broken.update(range(max(at, 0), at + length))
    return frozenset(i for i in broken if i < commits - 1)
