"""Which options `assay gate` has, and what it says of those that only `assay compare` has."""

from pathlib import Path
from typing import Any

import pytest
import typer
from remotes import git

from assay.cli import invoke
from assay.cli.app import app
from assay.cli.common.compare_asked import CompareRequest
from assay.cli.common.exit_codes import BAD_INPUT, DONE
from assay.cli.common.gate import Gate
from assay.cli.completion import completion_candidates

OF_BOTH = {
    *("--filter", "--metric", "--instrument", "--placements", "--suite", "--recipe"),
    *("--margin", "--alpha", "--gate-strength", "--allow-missing", "--count-placement"),
    *("--rounds", "--budget", "--min-time", "--timeout", "--pin", "--seed", "--when-busy"),
    *("--why", "--all", "--json", "--markdown", "--junit", "--html", "-o", "--output"),
    *("--store", "--no-store", "-q", "--quiet"),
}
# Each as somebody types it, and the option that is told to be one of `assay compare`.
OF_COMPARE = {
    "--base-filter x": "--base-filter",
    "--candidate-filter=x": "--candidate-filter",
    "--duet": "--duet",
    "--floor": "--floor",
    "main --floor": "--floor",
    "--format gbench": "--format",
    "--format=gbench": "--format",
    "-a": "-a",
    "-qa": "-a",
    "--aggregates-only": "--aggregates-only",
    "--no-utest": "--no-utest",
    "--gate": "--gate",
    "--gate=strict": "--gate",
}


def options(verb: str) -> set[str]:
    """Every name of an option, hidden ones too."""
    verbs: Any = typer.main.get_command(app)
    return {
        name for one in verbs.commands[verb].params for name in one.opts if name.startswith("-")
    }


def test_these_are_the_options_of_a_gate() -> None:
    assert options("gate") == OF_BOTH | {"--strict"}


def test_compare_has_these_and_those_for_exploring() -> None:
    assert options("compare") == OF_BOTH | set(OF_COMPARE.values())


@pytest.mark.parametrize("words", OF_COMPARE)
def test_an_option_of_compare_is_refused_by_naming_compare(
    capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert invoke(["gate", *words.split()]) == BAD_INPUT
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"error: {OF_COMPARE[words]}: is an option of `assay compare`, not of `assay gate`; "
        "`assay compare git:MERGE-BASE . --gate` has it; `assay gate --help` lists what a gate "
        "has\n"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--no-such-option", "No such option: --no-such-option"),
        ("--filter", "Option '--filter' requires an argument"),
        ("--filter --duet --rounds x", "Invalid value for '--rounds'"),
    ],
)
def test_whatever_else_is_wrong_is_told_as_of_every_verb(
    capsys: pytest.CaptureFixture[str], words: str, told: str
) -> None:
    assert invoke(["gate", *words.split()]) == BAD_INPUT
    said = capsys.readouterr().err
    assert told in said
    assert "assay compare" not in said


def test_completion_offers_the_options_of_a_gate_and_no_others(tmp_path: Path) -> None:
    assert set(completion_candidates(["gate", "-"], tmp_path)) == OF_BOTH | {"--strict"}
    assert completion_candidates(["gate", "--fl"], tmp_path) == []
    assert completion_candidates(["compare", "--fl"], tmp_path) == ["--floor"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[CompareRequest]:
    """What the verbs would carry out, in a repository of one commit."""
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "x")
    (tmp_path / "assay.toml").touch()
    found: list[CompareRequest] = []

    def carry_out(asked: CompareRequest) -> int:
        found.append(asked)
        return DONE

    for verb in ("gate", "compare"):
        monkeypatch.setattr(f"assay.cli.{verb}.carry_out", carry_out)
    return found


def test_a_gate_is_one_value(asked: list[CompareRequest], tmp_path: Path) -> None:
    words = "gate main --strict --margin 5% --allow-missing --all -q --when-busy refuse"
    assert invoke([*words.split(), "--markdown", "gate.md"]) == DONE
    assert invoke(["gate"]) == DONE
    strict, plain = asked
    left_at = git(tmp_path, "rev-parse", "HEAD").strip()
    assert left_at.startswith(strict.plan.base.removeprefix("git:"))
    assert (strict.plan.candidate, strict.plan.settings.margin) == (".", 0.05)
    assert strict.gate == Gate(strict=True, allow_missing=True)
    assert strict.files.markdown == Path("gate.md")
    assert (strict.every, strict.quiet, strict.waits) == (True, True, False)
    assert (plain.gate, plain.like, plain.plan.floor) == (Gate(), None, False)
    assert (plain.every, plain.quiet, plain.waits) == (False, False, True)


def test_a_comparison_has_what_is_for_exploring_too(asked: list[CompareRequest]) -> None:
    words = "compare a b --filter x --base-filter y --candidate-filter z --duet --gate=strict"
    assert invoke(words.split()) == DONE
    assert invoke(["compare", "a", "b", "--floor"]) == DONE
    assert invoke(["compare", "a", "b", "--format", "gbench", "--no-utest", "-a"]) == DONE
    paired, floor, table = asked
    filters = paired.plan.filters
    assert (filters.both, filters.base, filters.candidate) == ("x", "y", "z")
    assert paired.plan.measuring.duet
    assert paired.gate == Gate(strict=True)
    assert not paired.plan.floor
    assert (floor.gate, floor.like, floor.plan.floor) == (None, None, True)
    assert table.plan.floor
    assert table.like is not None
    assert (table.like.aggregates_only, table.like.utest) == (True, False)
