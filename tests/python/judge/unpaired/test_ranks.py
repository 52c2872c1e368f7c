import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.judge.compare_py.mann_whitney import two_sided_p
from assay.judge.unpaired.ranks import distribution_of_u, least_level, order_index

small = st.lists(st.integers(0, 12).map(float), min_size=2, max_size=14)
distinct = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=14, unique=True)


@given(small, small)
def test_p_values_are_scipys_with_ties(one: list[float], other: list[float]) -> None:
    expected = stats.mannwhitneyu(one, other, alternative="two-sided").pvalue
    assert two_sided_p(one, other) == pytest.approx(expected, rel=1e-12)


@given(distinct, distinct)
def test_p_values_are_scipys_without_ties(one: list[float], other: list[float]) -> None:
    expected = stats.mannwhitneyu(one, other, alternative="two-sided").pvalue
    assert two_sided_p(one, other) == pytest.approx(expected, rel=1e-12)


def test_the_distribution_of_u_is_symmetric_and_ends_at_one() -> None:
    tail = distribution_of_u(7, 11)
    assert tail[-1] == 1.0
    shares = np.diff(tail, prepend=0.0)
    assert np.allclose(shares, shares[::-1], rtol=1e-9)
    assert tail[0] == pytest.approx(least_level(7, 11))


@pytest.mark.parametrize(("n", "m"), [(5, 5), (70, 60), (900, 40)])
def test_the_least_level_is_one_order_of_all(n: int, m: int) -> None:
    assert least_level(n, m) == pytest.approx(1.0 / math.comb(n + m, n), rel=1e-9, abs=0.0)


@pytest.mark.parametrize(("n", "m"), [(5, 5), (10, 10), (6, 30), (60, 60)])
def test_order_statistics_leave_out_no_more_than_asked(n: int, m: int) -> None:
    index = order_index(n, m, 0.025)
    exact = distribution_of_u(n, m)
    assert exact[index] <= 0.0255
    assert exact[index + 1] > 0.0245


def test_too_few_values_for_the_level_are_told() -> None:
    assert order_index(3, 3, 0.025) == -1
    assert least_level(3, 3) == 1 / math.comb(6, 3)
