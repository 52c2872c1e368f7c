"""Puts the commits of a graph in one line, along which `levels.py` estimates how slow each is.

Each commit of the main line contains the one before it. The commits that a merge brings stand
before the merge: `slot` numbers all of them, GOOD is slot 0 and BAD the last.

A commit of a branch lacks what the main line got after the branch left it (`fork`) and before
it was merged (`base`). So its level in this line is its measured one plus that difference.
"""

from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.graph import Bools, CommitGraph, containment_matrix

Numbers = NDArray[np.intp]


class Line(msgspec.Struct, frozen=True):
    """For each commit of the graph, its slot in the line of all commits.

    Also the slots at which its branch left the main line and was merged.
    """

    slot: Numbers
    is_main: Bools
    fork: Numbers  # slot of the last commit of the main line that this commit contains
    base: Numbers  # slot of the last commit of the main line that does not contain this commit
    upto: Numbers  # slot of the first commit of the main line that contains this commit


@lru_cache(maxsize=8)
def line_of(graph: CommitGraph) -> Line:
    """Put all commits in one line; the main line follows first parents (decision 34)."""
    rows, count = containment_matrix(graph), len(graph.commits)
    main = _main_line(graph)
    first = np.full(count, len(main))  # index in `main` of the first commit that contains each
    for place in reversed(range(len(main))):
        first[rows[main[place]]] = place
    slot = np.empty(count, dtype=np.intp)
    slot[np.lexsort((np.arange(count), first))] = np.arange(1, count + 1)
    slots = np.append(0, slot[main])  # slots of GOOD and of the main line's commits
    is_main = np.zeros(count, dtype=np.bool_)
    is_main[main] = True
    # The main line's commits that a commit contains are its first n, so n is the index in `slots`.
    fork = slots[rows[:, main].sum(axis=1)]
    return Line(slot, is_main, fork, slots[first], slots[first + 1])


def _main_line(graph: CommitGraph) -> list[int]:
    """Positions of the main line from the oldest commit to BAD, by first parents."""
    found = [graph.bad]
    while graph.parents[found[-1]]:
        found.append(graph.parents[found[-1]][0])
    return found[::-1]
