"""The U test that compare.py asks scipy for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.judge.compare_py.mann_whitney import two_sided_p

small = st.lists(st.integers(0, 12).map(float), min_size=2, max_size=14)
distinct = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=14, unique=True)


def scipys(one: list[float], other: list[float]) -> object:
    expected = stats.mannwhitneyu(one, other, alternative="two-sided").pvalue
    return pytest.approx(expected, rel=1e-12)


@given(small, small)
def test_p_values_are_scipys_with_ties(one: list[float], other: list[float]) -> None:
    assert two_sided_p(one, other) == scipys(one, other)


@given(distinct, distinct)
def test_p_values_are_scipys_without_ties(one: list[float], other: list[float]) -> None:
    assert two_sided_p(one, other) == scipys(one, other)


@pytest.mark.parametrize(("n", "m"), [(2, 2), (8, 8), (8, 20), (20, 8), (9, 9), (9, 40)])
def test_eight_values_are_counted_and_nine_approximated_as_scipy_does(n: int, m: int) -> None:
    one, other = [float(7 * i % 41) for i in range(n)], [5.5 + i for i in range(m)]
    assert two_sided_p(one, other) == scipys(one, other)
    assert two_sided_p(other, one) == scipys(other, one)


def test_of_few_values_it_is_counted_by_hand() -> None:
    """Of 20 orders of three and three, one has all of one side first, and one last."""
    assert two_sided_p([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]) == pytest.approx(2 / 20)
    assert two_sided_p([1.0, 2.0, 4.0], [3.0, 5.0, 6.0]) == pytest.approx(4 / 20)
    assert two_sided_p([1.0, 6.0], [3.0, 4.0]) == 1.0


def test_values_that_are_all_the_same_say_nothing() -> None:
    assert two_sided_p([3.0] * 5, [3.0] * 9) == 1.0
