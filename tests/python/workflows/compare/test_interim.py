"""What was shown as settled stands in the judgement of the whole record."""

import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.judge_sessions import Outcome, Session

from assay.model import Design, Verdict
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.interim import InterimResults


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """30 sessions: autocorrelated and not, benchmarks given up, one metric or two, counters."""
    return [Session(seed).run() for seed in range(30)]


def test_no_verdict_is_taken_back(outcomes: list[Outcome]) -> None:
    assert [one.differing for one in outcomes] == [{}] * len(outcomes)


def test_there_were_verdicts_to_take_back(outcomes: list[Outcome]) -> None:
    verdicts = [verdict for one in outcomes for verdict in one.shown.values()]
    assert len(verdicts) > 60
    assert {Verdict.SLOWER, Verdict.FASTER, Verdict.SAME} <= set(verdicts)
    assert sum(one.given_up for one in outcomes) > 5
    assert any(metric == "CallsToAlloc" for one in outcomes for _, metric in one.shown)
    assert any(metric == "cpu_time" for one in outcomes for _, metric in one.shown)


def test_a_benchmark_given_up_frees_no_share() -> None:
    """Else those looked at afterwards would be judged by a family that the record is not."""
    looks = InterimResults(ComparePlan("old", "new"), Design.INTERLEAVED, benchmarks=7)
    before = looks.facts()["family"]
    looks.forget("B3")
    assert looks.facts()["family"] == before == 7
