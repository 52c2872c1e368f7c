"""Amounts of work for tests of attribution: by hand, and any."""

from collections.abc import Mapping
from fractions import Fraction

from hypothesis import strategies as st

from assay.work import Attribution, Call, Calls, Node, Place, Work

N = 100  # iterations
MOVE = "memmove"
LIBRARIES = {MOVE, "malloc", "operator new", "qsort"}


def node(*path: str) -> Node:
    return Node(path, own=path[0] not in LIBRARIES)


def work(costs: Mapping[str, int], calls: Mapping[str, tuple[int, int]]) -> Work:
    """Amounts an iteration; 'a>b' is b inlined into a, 'a -> b' a call."""
    return Work(
        N,
        {(node(*name.split(">")), Place("a.cpp", 7)): cost * N for name, cost in costs.items()},
        {
            Call(node(*one.split(">")), Place("a.cpp", 9), node(*other.split(">"))): Calls(
                times * N, inclusive * N
            )
            for key, (times, inclusive) in calls.items()
            for one, other in [key.split(" -> ")]
        },
    )


def an_iteration(found: Attribution) -> dict[str, Fraction]:
    assert found.unexplained == 0
    return {one.function: one.amount / N for one in found.changes}


NAMES = ["a", "b", "c", "a>b", "c>a", MOVE, "malloc"]
AMOUNTS = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 1000), max_size=7)
EDGES = st.sampled_from([f"{one} -> {other}" for one in NAMES for other in NAMES])
WORKS = st.builds(
    work,
    AMOUNTS,
    st.dictionaries(EDGES, st.tuples(st.integers(0, 9), st.integers(0, 1000)), max_size=12),
)
