"""The manual pages say what `--help` says, in a form that no word of it can disturb."""

import re
import shutil
import subprocess

import manual
import pytest
from conftest import ROOT
from reference import known_exit_codes

from assay.cli.app import VERBS, _command

KEPT = ROOT / "docs" / "man"
MACROS = re.compile(r"\.(TH|SH|TP|B|I|BR|PP)( .*)?")


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return manual.pages()


def test_there_is_one_for_each_verb_and_one_for_all(pages: dict[str, str]) -> None:
    assert set(pages) == {"assay.1", *(f"assay-{verb}.1" for verb in VERBS)}
    for verb in VERBS:
        assert f".BR assay\\-{verb} (1)\n" in pages["assay.1"]


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_told(pages: dict[str, str], verb: str) -> None:
    command = _command(verb, VERBS[verb])
    shown = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    for parameter in shown:
        for spelled in parameter.opts:
            assert spelled.replace("-", "\\-") in pages[f"assay-{verb}.1"], spelled


def test_no_line_is_taken_for_a_request_that_is_none(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        for line in text.splitlines():
            assert not line.startswith("'"), (name, line)
            assert not line.startswith(".") or MACROS.fullmatch(line), (name, line)


def test_words_that_roff_would_read_are_escaped() -> None:
    assert (
        manual._words(".TH\n'quoted\nC:\\n --margin") == "\\&.TH\n\\&'quoted\nC:\\en \\-\\-margin"
    )


def test_the_exit_codes_are_those_of_the_reference(pages: dict[str, str]) -> None:
    from assay.cli.common import exit_codes

    assert f".TP\n.B {exit_codes.DEFECT}\n" in pages["assay.1"]
    assert pages["assay.1"].count(".TP\n.B ") == len(known_exit_codes()) > 5


def test_those_that_are_installed_are_what_is_generated_now(pages: dict[str, str]) -> None:
    kept = {path.name: path.read_text() for path in KEPT.iterdir()}
    assert kept == pages, "run .venv/bin/python tools/reference.py"


def test_they_are_small(pages: dict[str, str]) -> None:
    assert sum(len(text) for text in pages.values()) < 100_000


def complaints(*command: str) -> list[str]:
    """What a program that reads manual pages says of all of them."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]}")
    done = subprocess.run([*command, *sorted(KEPT.iterdir())], capture_output=True, text=True)
    return (done.stdout + done.stderr).splitlines()


def test_groff_finds_nothing_wrong() -> None:
    """As `man --warnings` calls it."""
    assert complaints("groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z") == []


def test_mandoc_finds_nothing_wrong() -> None:
    """But that there is no date, without which the same program gives the same pages."""
    told = complaints("mandoc", "-T", "lint", "-W", "warning")
    assert [line for line in told if "missing date" not in line] == []
