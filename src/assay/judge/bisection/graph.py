"""The commits after GOOD up to BAD, and which of them contain which."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.errors import AssayError
from assay.plurals import count

Bools = NDArray[np.bool_]


class CommitGraph(Struct, frozen=True):
    """Commits in an order in which parents come first, so that BAD is the last.

    Parents are positions in `commits`. Parents that GOOD contains are not named.
    """

    commits: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]

    @property
    def bad(self) -> int:
        """The position of BAD."""
        return len(self.commits) - 1

    def position(self, commit: str) -> int:
        """The position of a commit. Raises `AssayError` for one that is not in the graph."""
        try:
            return _positions(self.commits)[commit]
        except KeyError:
            raise AssayError(
                f"{commit!r} is not among the {count(len(self.commits), 'commit')}"
            ) from None


def graph_of(parents: Mapping[str, Sequence[str]], bad: str) -> CommitGraph:
    """The graph of the commits that `bad` contains.

    `parents` has each commit that GOOD does not contain with its parents, as `git rev-list
    --parents GOOD..BAD` prints them. Raises `AssayError` where `bad` is not among them.
    """
    if bad not in parents:
        raise AssayError(f"no commit {bad!r} after GOOD: is BAD an ancestor of GOOD?")
    order = tuple(_parents_first(parents, bad))
    place = {commit: number for number, commit in enumerate(order)}
    return CommitGraph(
        order, tuple(tuple(place[p] for p in parents[c] if p in place) for c in order)
    )


def _parents_first(parents: Mapping[str, Sequence[str]], bad: str) -> Iterator[str]:
    """The commits, parents first: depth first without recursion, for histories are deep."""
    seen: set[str] = set()
    stack = [(bad, False)]
    while stack:
        commit, finished = stack.pop()
        if finished:
            yield commit
        elif commit not in seen:
            seen.add(commit)
            stack.append((commit, True))
            stack += [(p, False) for p in reversed(parents[commit]) if p in parents]


@lru_cache(maxsize=8)
def containment_matrix(graph: CommitGraph) -> Bools:
    """Commits x commits: whether the row's commit contains the column's; each contains itself."""
    size = len(graph.commits)
    rows = np.zeros((size, size), dtype=np.bool_)
    for commit, parents in enumerate(graph.parents):
        for parent in parents:
            rows[commit] |= rows[parent]
        rows[commit, commit] = True
    return rows


@lru_cache(maxsize=8)
def _positions(commits: tuple[str, ...]) -> dict[str, int]:
    return {commit: number for number, commit in enumerate(commits)}


@lru_cache(maxsize=32)
def indistinguishable_commits(
    graph: CommitGraph, broken: frozenset[int]
) -> tuple[tuple[int, ...], ...]:
    """Positions of commits in classes that no measurement can tell apart.

    Each commit outside `broken` contains all commits of a class or none of them.
    """
    if not broken:
        return tuple((i,) for i in range(len(graph.commits)))
    kept = np.array([i for i in range(len(graph.commits)) if i not in broken], dtype=np.intp)
    packed = np.packbits(containment_matrix(graph)[kept], axis=0).T
    classes: dict[bytes, list[int]] = {}
    for commit, column in enumerate(packed):
        classes.setdefault(column.tobytes(), []).append(commit)
    return tuple(tuple(members) for members in classes.values())
