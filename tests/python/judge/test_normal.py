import pytest
from scipy import stats

from assay.judge.normal import normal_quantile, upper_tail, within


def test_tail_and_quantile_are_scipys() -> None:
    for p in (1e-9, 0.001, 0.3, 0.975):
        assert normal_quantile(p) == pytest.approx(stats.norm.ppf(p), abs=1e-9)
    assert upper_tail(2.5) == pytest.approx(stats.norm.sf(2.5), rel=1e-12)


def test_what_lies_within_is_what_neither_tail_has() -> None:
    assert within(0.05, 0.02) == pytest.approx(1.0 - 2.0 * stats.norm.sf(2.5), rel=1e-12)
    assert within(0.0, 0.0) == 1.0, "without scatter nothing lies outside"
