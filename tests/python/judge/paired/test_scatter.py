"""More scatter is not speed: `faster` only where all samples of a launch agree."""

import numpy as np
import pytest
from judging import rounds_of, settings

from assay.judge.verdict import judge
from assay.model import Comparison, Verdict
from assay.show.words.hints import hint


def compared(
    seed: int, factor: float, scatter: float, metric: str = "real_time", base: float = 0.01
) -> Comparison:
    """40 rounds of 15 samples; the candidate's mean is `factor` times the base's."""
    rng = np.random.default_rng(seed)
    sides = [
        100.0 * mean * (1.0 + sd * rng.standard_normal((40, 15)))
        for mean, sd in ((1.0, base), (factor, scatter))
    ]
    return judge([rounds_of(*sides, metric=metric)], settings()).comparisons[0]


@pytest.mark.parametrize(("factor", "scatter"), [(1.0, 0.05), (1.05, 0.10)])
@pytest.mark.parametrize("seed", range(5))
def test_a_candidate_that_only_scatters_more_is_not_faster(
    seed: int, factor: float, scatter: float
) -> None:
    one = compared(seed, factor, scatter)
    assert one.verdict is not Verdict.FASTER
    if one.high is not None and one.high < -0.02:  # its lowest samples are lower, surely
        assert "scatter" in [found.of for found in one.findings]
        assert "times as much" in hint(one)


def test_its_scatter_is_a_finding_of_its_own() -> None:
    one = compared(1, 1.0, 0.06)
    assert one.verdict is Verdict.DIFFERENT
    assert [found.of for found in one.findings] == ["scatter"]
    assert one.findings[0].size == pytest.approx(5.0, abs=1.5)


def test_more_scatter_of_a_rate_is_not_faster_either() -> None:
    assert compared(2, 1.0, 0.06, metric="items_per_second").verdict is Verdict.DIFFERENT


@pytest.mark.parametrize("scatter", [0.01, 0.02])
def test_what_all_samples_show_is_faster(scatter: float) -> None:
    one = compared(3, 0.9, scatter)
    assert one.verdict is Verdict.FASTER
    assert one.findings == ()


def test_samples_that_do_not_scatter_at_all_are_no_defect() -> None:
    one = compared(4, 1.0, 0.08, base=0.0)
    assert one.verdict is Verdict.DIFFERENT
    assert hint(one)
