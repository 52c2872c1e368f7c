"""The cost of libraries is passed on whole, and circles of calls are one."""

from hypothesis import given
from hypothesis import strategies as st
from works import WORKS

from assay.judge.attribution.components import components
from assay.judge.attribution.folded import fold_libraries_into_callers, split_in_proportion
from assay.work import Work


@given(WORKS)
def test_folding_loses_nothing(one: Work) -> None:
    graph = fold_libraries_into_callers(one)
    assert sum(graph.cost(each) for each in graph.nodes()) == one.total


@given(st.integers(0, 10**15), st.lists(st.integers(0, 10**12), min_size=1).filter(any))
def test_shares_are_whole_and_add_up(amount: int, weights: list[int]) -> None:
    shares = split_in_proportion(amount, weights)
    assert sum(shares) == amount
    assert all(
        abs(share * sum(weights) - amount * weight) < sum(weights)
        for share, weight in zip(shares, weights, strict=True)
    )


def test_circles_are_one_and_callees_come_first() -> None:
    found = components({"a": ["b"], "b": ["c", "a"], "c": ["d"], "d": ["d"]})
    assert [sorted(one) for one in found] == [["d"], ["c"], ["a", "b"]]


def test_a_deep_chain_does_not_end_the_stack() -> None:
    chain = {number: [number + 1] for number in range(50_000)}
    assert len(components(chain)) == 50_001
