"""What a comparison's exit code says."""

import pytest

from assay.cli import DONE, SLOWER, UNDECIDED
from assay.cli.results import exit_code
from assay.model import Comparison, Design, Judgement, Settings, Verdict
from assay.workflows.judging import CompareResult


def given(verdict: Verdict) -> Comparison:
    return Comparison(
        benchmark="B",
        metric="real_time",
        unit="ns",
        base=1.0,
        candidate=1.0,
        change=0.0,
        low=None,
        high=None,
        verdict=verdict,
        rounds=1,
        design=Design.INTERLEAVED,
        method="",
    )


@pytest.mark.parametrize(
    ("verdicts", "gate", "code"),
    [
        ((Verdict.SLOWER, Verdict.UNDECIDED), "slower", SLOWER),
        ((Verdict.SLOWER,), "", DONE),
        ((Verdict.SAME, Verdict.UNDECIDED), "slower", DONE),
        ((Verdict.SAME, Verdict.UNDECIDED), "strict", UNDECIDED),
        ((Verdict.SAME,), "strict", DONE),
        ((), "slower", DONE),
        ((), "strict", UNDECIDED),  # what was not compared is not passed
    ],
)
def test_exit_code_of_a_gate(verdicts: tuple[Verdict, ...], gate: str, code: int) -> None:
    comparisons = tuple(map(given, verdicts))
    judgement = Judgement(comparisons=comparisons, settings=Settings(), control="")
    assert exit_code(CompareResult(judgement, None, {}, {}), gate) == code
