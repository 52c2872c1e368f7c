"""What `assay.toml` says holds where the command line says nothing, the suite's word first."""

from pathlib import Path

import pytest

from assay.cli.common.project_defaults import (
    measuring_with_project_defaults,
    metrics_with_project_defaults,
    placements_with_project_defaults,
    settings_with_project_defaults,
)
from assay.defaults import MARGIN
from assay.errors import UsageError
from assay.workflows.common.plan import Measuring

WRITTEN = """
[build]
commands = ["make"]
placements = 8
[compare]
margin = 0.05
alpha = 0.01
budget_s = 30.0
rounds = 40
[history]
metrics = ["bytes"]
[suites.a]
run = "a"
margin = 0.1
[suites.b]
run = "b"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "assay.toml").write_text(WRITTEN)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("project")
def test_the_command_line_comes_first_then_the_suite_then_compare() -> None:
    assert settings_with_project_defaults("1%", None, "a").margin == 0.01
    assert settings_with_project_defaults(None, None, "a").margin == 0.1
    assert settings_with_project_defaults(None, None, "b").margin == 0.05
    assert settings_with_project_defaults(None, None, None).margin == 0.05
    assert settings_with_project_defaults(None, None, None).alpha == 0.01
    assert settings_with_project_defaults(None, 0.2, None).alpha == 0.2
    assert metrics_with_project_defaults(None) == ("bytes",)
    assert metrics_with_project_defaults(["x"]) == ("x",)
    assert placements_with_project_defaults(None) == 8
    assert placements_with_project_defaults(3) == 3


@pytest.mark.usefixtures("project")
def test_budget_and_rounds_hold_where_neither_is_asked_for() -> None:
    found = measuring_with_project_defaults(Measuring())
    assert (found.budget_s, found.rounds) == (30.0, 40)
    assert measuring_with_project_defaults(Measuring(rounds=5)).budget_s is None


def test_without_a_project_they_are_those_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        settings_with_project_defaults(None, None, None).margin,
        metrics_with_project_defaults(None),
    ) == (MARGIN, ("real_time",))
    assert measuring_with_project_defaults(Measuring()) == Measuring()
    assert placements_with_project_defaults(None) == 0


def test_no_placement_is_no_number_to_link() -> None:
    with pytest.raises(UsageError, match="--placements 0: must be 1 or more"):
        placements_with_project_defaults(0)
