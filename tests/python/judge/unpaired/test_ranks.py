import math

import numpy as np
import pytest

from assay.judge.unpaired.ranks import distribution_of_u, least_level, order_index, upper_tail_of_u


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


def test_the_distribution_of_u_of_few_is_counted_by_hand() -> None:
    """Of the six orders of two and two, U is 0, 1, 2, 2, 3 and 4."""
    assert distribution_of_u(2, 2).tolist() == pytest.approx([n / 6 for n in (1, 2, 4, 5, 6)])
    assert distribution_of_u(2, 3).tolist() == pytest.approx(
        [n / 10 for n in (1, 2, 4, 6, 8, 9, 10)]
    )
    with pytest.raises(ValueError, match="read-only"):
        distribution_of_u(2, 2)[0] = 0.5


def test_tails_count_those_that_win_as_often_or_more() -> None:
    assert upper_tail_of_u(2, 2, np.array([0, 1, 2, 3, 4])).tolist() == pytest.approx(
        [n / 6 for n in (6, 5, 4, 2, 1)]
    )


@pytest.mark.parametrize(("n", "m"), [(51, 50), (60, 60), (40, 90)])
def test_beyond_exact_counting_tails_and_ends_are_almost_the_same(n: int, m: int) -> None:
    exact = distribution_of_u(n, m)
    wins = np.array([n * m // 2, n * m * 6 // 10, n * m * 65 // 100])
    assert upper_tail_of_u(n, m, wins) == pytest.approx(exact[n * m - wins], abs=3e-4)
    for tail in (0.25, 0.025):
        there = int(np.searchsorted(exact, tail, side="right")) - 1
        assert abs(order_index(n, m, tail) - there) <= 1
