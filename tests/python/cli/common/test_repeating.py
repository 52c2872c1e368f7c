"""The command that repeats a comparison has every option that decides what comes out of it."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from assay.cli.common.repeating import repeating_command
from assay.cli.compare import CompareOptions

# Option -> a value that is not its default, and how the command has it.
GIVEN: dict[str, tuple[Any, str]] = {
    "filter": ("BM_a b", "'--filter=BM_a b'"),
    "base_filter": ("old", "--base-filter=old"),
    "candidate_filter": ("new", "--candidate-filter=new"),
    "margin": ("5%", "--margin=5%"),
    "alpha": (0.01, "--alpha=0.01"),
    "metric": (["cpu_time", "allocs"], "--metric=cpu_time --metric=allocs"),
    "instrument": ("instructions", "--instrument=instructions"),
    "duet": (True, "--duet"),
    "gate": ("strict", "--gate=strict"),
    "gate_strength": ("3%", "--gate --gate-strength=3%"),
    "allow_missing": (True, "--gate --allow-missing"),
    "count_placement": (True, "--count-placement"),
    "placements": (4, "--placements=4"),
    "floor": (True, "--floor"),
    "suite": ("main", "--suite=main"),
    "recipe": ("revision", "--recipe=revision"),
    "rounds": (30, "--rounds=30"),
    "budget": ("90s", "--budget=90s"),
    "min_time": ("2ms", "--min-time=2ms"),
    "timeout": ("5m", "--timeout=300s"),
    "pin": (1, "--pin=1"),
    "seed": (17, "--seed=17"),
}
TARGETS = {"base", "candidate"}
SHOWN_OR_KEPT = {
    *("json", "markdown", "junit", "html", "output", "store", "no_store"),
    *("why", "all", "format", "aggregates_only", "no_utest", "quiet", "when_busy"),
}


def test_every_option_is_here() -> None:
    """A new one decides what comes out, or is about where it is shown."""
    names = {one.name for one in fields(CompareOptions)}
    assert names == GIVEN.keys() | TARGETS | SHOWN_OR_KEPT
    assert not GIVEN.keys() & SHOWN_OR_KEPT


@pytest.mark.parametrize("name", GIVEN)
def test_it_has_the_option(name: str) -> None:
    value, written = GIVEN[name]
    needs_gate = {"gate": "slower"} if name in ("gate_strength", "allow_missing") else {}
    assert command_with(**{name: value}, **needs_gate) == f"assay compare old new {written}"


def test_it_has_nothing_that_was_not_asked_for() -> None:
    assert command_with() == "assay compare old new"


def test_a_usual_value_is_written_where_assay_toml_has_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "assay.toml").write_text("[compare]\nmargin = 0.05\nalpha = 0.01\n")
    monkeypatch.chdir(tmp_path)
    assert command_with() == "assay compare old new --margin=5% --alpha=0.01"
    said = command_with(margin="2%", alpha=0.05)
    assert said == "assay compare old new --margin=2% --alpha=0.05"


def test_counts_of_instructions_have_a_margin_of_their_own() -> None:
    command = command_with(instrument="instructions", margin="0.1%")
    assert command == "assay compare old new --instrument=instructions --margin=0.1%"


def command_with(**options: Any) -> str:
    asked = CompareOptions(base="old", candidate="new", **options).request()
    return repeating_command(asked.plan, asked.gate, options.get("seed"))
