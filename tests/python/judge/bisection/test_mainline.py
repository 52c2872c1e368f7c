"""The commits of a graph in one line."""

from assay.judge.bisection.graph import graph_of
from assay.judge.bisection.mainline import line_of


def test_a_line_is_numbered_from_one_and_good_is_nought() -> None:
    line = line_of(graph_of({"a": [], "b": ["a"], "c": ["b"]}, "c"))
    assert line.slot.tolist() == [1, 2, 3]
    assert line.is_main.all()
    assert line.base.tolist() == [0, 1, 2]


def test_a_branch_stands_before_its_merge_and_knows_where_it_left() -> None:
    """a - b - c - m, and x - y from a, merged in m."""
    parents = {"a": [], "b": ["a"], "c": ["b"], "x": ["a"], "y": ["x"], "m": ["c", "y"]}
    graph = graph_of(parents, "m")
    line = line_of(graph)
    place = {name: number for number, name in enumerate(graph.commits)}
    slots = {name: int(line.slot[number]) for name, number in place.items()}
    assert [slots[name] for name in "abcxym"] == [1, 2, 3, 4, 5, 6]
    for name in "xy":
        one = place[name]
        assert not line.is_main[one]
        assert int(line.fork[one]) == slots["a"]
        assert int(line.base[one]) == slots["c"]
        assert int(line.upto[one]) == slots["m"]


def test_a_branch_from_before_good_left_at_good() -> None:
    graph = graph_of({"a": [], "x": [], "m": ["a", "x"]}, "m")
    line = line_of(graph)
    assert int(line.fork[graph.position("x")]) == 0
