"""Times that differ although the code is the same are placement, and nothing else is."""

from typing import Any

import pytest

from assay.judge.placement import is_time_or_rate, with_placement_verdicts
from assay.judging import Holm, MethodName
from assay.model import Comparison, Design, Finding, Judgement, Settings, Verdict
from assay.remarks import RemarkName
from assay.same_code import SameCode

SAME, OTHER = SameCode(True, "same machine code"), SameCode(False, "find is not the same code")


def comparison(verdict: Verdict, **changes: Any) -> Comparison:
    values: dict[str, Any] = {
        "benchmark": "BM_find",
        "metric": "real_time",
        "unit": "ns",
        "base": 100.0,
        "candidate": 114.0,
        "change": 0.14,
        "low": 0.09,
        "high": 0.18,
        "verdict": verdict,
        "rounds": 30,
        "design": Design.INTERLEAVED,
        "method": MethodName.ROUNDS,
    }
    return Comparison(**{**values, **changes})


def judged(one: Comparison, code: SameCode, *, is_counted: bool = False) -> Comparison:
    judgement = Judgement(
        comparisons=(one,), settings=Settings(), control=Holm(family=1, alpha=0.05)
    )
    (found,) = with_placement_verdicts(
        judgement, {"BM_find": code}, is_counted=is_counted
    ).comparisons
    return found


@pytest.mark.parametrize(
    "verdict",
    [v for v in Verdict if v not in (Verdict.SAME, Verdict.PLACEMENT)],
)
def test_the_same_code_in_another_time_is_placement(verdict: Verdict) -> None:
    found = judged(comparison(verdict, lean=Verdict.SLOWER, rounds_needed=9), SAME)
    assert found.verdict is Verdict.PLACEMENT
    assert not found.verdict.is_change
    assert (found.change, found.low, found.high) == (0.14, 0.09, 0.18)  # it does differ
    assert found.rounds_needed is None
    assert found.lean is None
    assert found.notes == (RemarkName.PLACED_ELSEWHERE,)


def test_other_code_and_what_was_not_looked_at_stay_as_they_were() -> None:
    one = comparison(Verdict.SLOWER)
    assert judged(one, OTHER).verdict is Verdict.SLOWER
    assert judged(one, OTHER).code == OTHER
    judgement = Judgement(
        comparisons=(one,), settings=Settings(), control=Holm(family=1, alpha=0.05)
    )
    assert with_placement_verdicts(judgement, {}) == judgement


def test_the_same_stays_the_same_and_what_has_no_interval_stays_open() -> None:
    assert judged(comparison(Verdict.SAME), SAME).verdict is Verdict.SAME
    unjudged = comparison(Verdict.UNDECIDED, low=None, high=None)
    assert judged(unjudged, SAME).verdict is Verdict.UNDECIDED


def test_the_same_code_whose_times_do_not_differ_is_the_same() -> None:
    found = judged(comparison(Verdict.UNDECIDED, change=0.001, low=-0.02, high=0.022), SAME)
    assert found.verdict is Verdict.SAME
    assert (found.low, found.high) == (-0.02, 0.022)
    other = judged(comparison(Verdict.UNDECIDED, change=0.001, low=-0.02, high=0.022), OTHER)
    assert other.verdict is Verdict.UNDECIDED


def test_counts_and_memory_are_no_matter_of_placement() -> None:
    for metric in ("allocs", "max_rss", "instructions", "MemoryAllocated", "energy"):
        assert not is_time_or_rate(metric)
        assert judged(comparison(Verdict.SLOWER, metric=metric), SAME).verdict is Verdict.SLOWER
    for metric in ("real_time", "cpu_time", "p99", "items_per_second", "bytes_per_second"):
        assert is_time_or_rate(metric)


def test_placement_that_is_counted_keeps_its_verdict_and_says_what_it_is() -> None:
    found = judged(comparison(Verdict.SLOWER), SAME, is_counted=True)
    assert found.verdict is Verdict.SLOWER
    assert found.notes == (RemarkName.PLACED_ELSEWHERE_COUNTED,)


def test_findings_beside_the_centre_are_placement_too() -> None:
    finding = Finding(of="samples", verdict=Verdict.SOMETIMES_SLOWER, share=0.2, size=0.3)
    one = comparison(Verdict.SOMETIMES_SLOWER, findings=(finding,))
    assert judged(one, SAME).findings == ()
    assert judged(one, OTHER).findings == (finding,)


def test_unless_it_is_said_to_be_counted_it_is_not() -> None:
    judgement = Judgement(
        comparisons=(comparison(Verdict.SLOWER), comparison(Verdict.SLOWER, benchmark="BM_other")),
        settings=Settings(),
        control=Holm(family=1, alpha=0.05),
    )
    found = with_placement_verdicts(judgement, {"BM_find": SAME}).comparisons
    assert [one.verdict for one in found] == [Verdict.PLACEMENT, Verdict.SLOWER]
    assert found[1].code is None


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 0.02, Verdict.SAME),
        (-0.02, 0.0, Verdict.SAME),
        (0.001, 0.02, Verdict.PLACEMENT),
        (-0.02, -0.001, Verdict.PLACEMENT),
    ],
)
def test_an_interval_that_leaves_out_zero_differs(
    low: float, high: float, expected: Verdict
) -> None:
    assert judged(comparison(Verdict.UNDECIDED, low=low, high=high), SAME).verdict is expected
