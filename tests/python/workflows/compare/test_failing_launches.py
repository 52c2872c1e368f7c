"""A launch that fails now and then is counted, judged and measured on. Seeded, no processes."""

import json
import random
from pathlib import Path

import pytest
from conftest import ScriptedExecutor, SimulatedTarget, SteppingClock, finished

from assay.cli.common.gate import Gate, exit_code
from assay.errors import LaunchError
from assay.measure.effort import Effort
from assay.measure.targets.target import LaunchResult
from assay.model import Settings, Side, Verdict
from assay.progress import Silence
from assay.show.words.failed_launches import sentences
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import ComparePlan, Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare import workflow
from assay.workflows.compare.patience import IN_A_ROW
from assay.workflows.compare.result import CompareResult

LEVELS = {"steady": 100.0, "flaky": 100.0}


class Crashing(SimulatedTarget):
    """Benchmark "flaky" crashes in a share of its launches, drawn anew for each."""

    share = 0.0
    calls = 0

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        if benchmark == "flaky":
            self.calls += 1
            if random.Random(f"{self.seed} {self.calls}").random() < self.share:
                raise LaunchError("it crashed with SIGSEGV")
        return super().launch(benchmark, effort, cpu)


def crashing(share: float, seed: int) -> Crashing:
    target = Crashing(LEVELS, seed=seed)
    target.share = share
    return target


def compare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shares: tuple[float, float], rounds: int = 60
) -> CompareResult:
    targets = {"old": crashing(shares[0], 1), "new": crashing(shares[1], 2)}
    monkeypatch.setattr(workflow, "resolve", lambda written, _kit: targets[written])
    plan = ComparePlan(
        base="old",
        candidate="new",
        measuring=Measuring(seed=5, rounds=rounds),
        settings=Settings(margin=0.2),
        metrics=("real_time",),
        keep=Destination(tmp_path / "out.json"),
    )
    runtime = Runtime(ScriptedExecutor(lambda _: finished()), SteppingClock(), Silence())
    return workflow.compare(plan, runtime)


def judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CompareResult:
    monkeypatch.undo()
    plan = ComparePlan(
        str(tmp_path / "out.json"), None, settings=Settings(margin=0.2), metrics=("real_time",)
    )
    runtime = Runtime(ScriptedExecutor(lambda _: finished()), SteppingClock(), Silence())
    return workflow.compare(plan, runtime)


def test_one_crash_in_ten_on_both_sides_ends_nothing_and_is_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = compare(tmp_path, monkeypatch, (0.1, 0.1))
    assert {one.benchmark: one.verdict for one in result.judgement.comparisons} == {
        "steady": Verdict.SAME,
        "flaky": Verdict.SAME,
    }
    assert result.failures == ()
    assert exit_code(result, Gate()) == 0
    (failed,) = result.judgement.failed_launches
    assert failed.base.failed > 0
    assert failed.candidate.failed > 0
    assert not failed.more_often


def test_a_candidate_that_crashes_more_often_is_a_finding_that_fails_the_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = compare(tmp_path, monkeypatch, (0.0, 0.35), rounds=200)
    (failed,) = result.judgement.failed_launches
    assert (failed.benchmark, failed.more_often) == ("flaky", True)
    assert exit_code(result, Gate()) == 1
    assert exit_code(result, None) == 0
    counted = f"{failed.candidate.failed} of {failed.candidate.launches} launches of the candidate"
    (said,) = sentences(result.judgement)
    assert said == (
        f"flaky: {counted} crashed with SIGSEGV, 0 of {failed.base.launches} of the base: "
        "the candidate fails more often."
    )
    again = judged_again(tmp_path, monkeypatch)
    assert again.judgement.failed_launches == result.judgement.failed_launches
    assert again.failures == ()


def test_a_base_that_crashes_more_often_fails_no_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = compare(tmp_path, monkeypatch, (0.35, 0.0), rounds=200)
    (failed,) = result.judgement.failed_launches
    assert failed.base.failed > 5
    assert not failed.more_often
    assert exit_code(result, Gate()) == 0
    assert "launches of the base crashed" in sentences(result.judgement)[0]


@pytest.mark.parametrize("shares", [(0.0, 1.0), (1.0, 0.0)])
def test_a_benchmark_that_always_crashes_is_given_up_after_five_launches(
    shares: tuple[float, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = compare(tmp_path, monkeypatch, shares)
    side = Side.CANDIDATE if shares[1] else Side.BASE
    assert [(one.benchmark, one.side) for one in result.failures] == [("flaky", side)]
    assert [one.benchmark for one in result.judgement.comparisons] == ["steady"]
    assert result.judgement.failed_launches == ()
    assert exit_code(result, Gate()) == 3
    written = json.loads((tmp_path / "out.json").read_text())["context"]["assay"]
    assert written["given_up"] == ["flaky"]
    assert len(written["failures"]) == IN_A_ROW, "every launch that failed is in the record"
    assert [one.benchmark for one in judged_again(tmp_path, monkeypatch).failures] == ["flaky"]


class Hanging(Crashing):
    """Benchmark "flaky" runs into the timeout at its seventh launch."""

    def __init__(self, clock: SteppingClock) -> None:
        super().__init__(LEVELS, seed=2)
        self.clock = clock

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        if benchmark == "flaky" and self.calls == 6:
            self.clock.now += 600.0
            raise LaunchError("it ran past the timeout and was killed")
        return super().launch(benchmark, effort, cpu)


def test_what_runs_into_the_timeout_is_given_up_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SteppingClock()
    targets = {"old": SimulatedTarget(LEVELS), "new": Hanging(clock)}
    monkeypatch.setattr(workflow, "resolve", lambda written, _kit: targets[written])
    plan = ComparePlan(
        "old", "new", measuring=Measuring(seed=5, rounds=30), keep=Destination(tmp_path / "o.json")
    )
    runtime = Runtime(ScriptedExecutor(lambda _: finished()), clock, Silence())
    result = workflow.compare(plan, runtime)
    assert [one.benchmark for one in result.failures] == ["flaky"]
    assert targets["new"].calls == 6
