"""Two sides that are one program: nothing is measured unless the floor is asked for."""

import json
import re
from pathlib import Path

import pytest
from conftest import ScriptedExecutor, SimulatedTarget, SteppingClock, finished
from msgspec.structs import replace

from assay.cli.common.gate import Gate, exit_code
from assay.model import Verdict
from assay.progress import Silence
from assay.show.export import results_json
from assay.show.export.markdown import markdown
from assay.show.page.report import page
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import ComparePlan, Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare import workflow
from assay.workflows.compare.result import CompareResult
from assay.workflows.contents.comparison import comparison_document, of_comparison

LEVELS = {"copy": 100.0, "move": 50.0}
PLAN = ComparePlan("git:main", ".", measuring=Measuring(seed=5))


@pytest.fixture
def target(monkeypatch: pytest.MonkeyPatch) -> SimulatedTarget:
    """What both revisions are."""
    made = SimulatedTarget(LEVELS)
    monkeypatch.setattr(workflow, "resolve", lambda *_: made)
    monkeypatch.setattr(Revisions, "identical", lambda *_: True)
    monkeypatch.setattr(Revisions, "builds", lambda *_: {"builds": {}})
    return made


def compared(plan: ComparePlan) -> CompareResult:
    runtime = Runtime(ScriptedExecutor(lambda _: finished()), SteppingClock(), Silence())
    return workflow.compare(plan, runtime)


def test_nothing_is_launched_and_every_gate_passes(target: SimulatedTarget) -> None:
    result = compared(PLAN)
    assert target.efforts == []
    assert [one.benchmark for one in result.judgement.comparisons] == list(LEVELS)
    assert {one.verdict for one in result.judgement.comparisons} == {Verdict.SAME}
    assert {(one.low, one.high) for one in result.judgement.comparisons} == {(0.0, 0.0)}
    for gate in (Gate(), Gate(strict=True), Gate(strength=0.01)):
        assert exit_code(result, gate) == 0


def test_what_was_not_measured_is_a_dash_in_every_form(target: SimulatedTarget) -> None:
    result = compared(PLAN)
    table = markdown(result.judgement, only=((), ()), failures=())
    assert "| - | - | +0.00 % | exact |" in table
    assert "nan" not in table
    document = json.loads(results_json.encode(comparison_document(result)))
    assert {(one["base"], one["change"]) for one in document["comparisons"]} == {(None, 0.0)}
    html = page(of_comparison(result)).decode()
    assert "<td>-</td>" in re.sub(r"<td [^>]*>", "<td>", html)
    assert "nan ns" not in html


@pytest.mark.parametrize("how", ["floor", "output"])
def test_it_is_measured_where_the_measurements_are_asked_for(
    target: SimulatedTarget, how: str, tmp_path: Path
) -> None:
    floor = replace(PLAN, floor=True)
    kept = replace(PLAN, keep=Destination(tmp_path / "out.json"))
    result = compared(floor if how == "floor" else kept)
    assert target.efforts
    assert {one.verdict for one in result.judgement.comparisons} == {Verdict.SAME}
    assert all(one.rounds > 0 for one in result.judgement.comparisons)
    assert exit_code(result, Gate(strength=0.01)) == 0
