"""What must never happen: exit code 70 and a traceback, and never a verdict's code."""

import pytest

from assay.cli import invoke
from assay.cli.common.exit_codes import DEFECT
from assay.errors import InputError
from assay.workflows import run
from assay.workflows.compare import workflow

REPORT = "error: this is a defect in Assay; please report the lines above\n"
COMPARE = ["compare", "cmd:true", "cmd:true", "--quiet"]


def test_an_unforeseen_error_is_a_defect_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(workflow, "compare", broken)
    assert invoke(COMPARE) == DEFECT == 70
    said = capsys.readouterr()
    assert not said.out
    assert said.err.startswith("Traceback (most recent call last):\n")
    assert "in broken\n" in said.err
    assert said.err.endswith(f"\nZeroDivisionError: of all things\n{REPORT}")


def test_a_defect_is_not_mistaken_for_a_gate_that_passed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workflow, "compare", lambda *_: None)  # a result without anything in it
    assert invoke([*COMPARE, "--gate=strict"]) == 70
    assert capsys.readouterr().err.endswith(REPORT)


def test_an_error_that_is_foreseen_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuses(*_: object) -> None:
        raise InputError("no such file", where="x")

    monkeypatch.setattr(run, "run", refuses)
    assert invoke(["run", "cmd:true", "--quiet"]) == 2
    assert capsys.readouterr().err == "error: x: no such file\n"
