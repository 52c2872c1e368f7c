import pytest
from scipy import stats

from assay.judge.normal import probability_within, upper_tail


def test_the_tail_is_scipys() -> None:
    for z in (-3.0, 0.0, 2.5, 30.0):
        assert upper_tail(z) == pytest.approx(stats.norm.sf(z), rel=1e-12)


def test_what_lies_within_is_what_neither_tail_has() -> None:
    assert probability_within(0.05, 0.02) == pytest.approx(
        1.0 - 2.0 * stats.norm.sf(2.5), rel=1e-12
    )
    assert probability_within(0.0, 0.0) == 1.0, "without scatter nothing lies outside"
