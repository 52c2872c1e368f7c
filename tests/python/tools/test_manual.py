"""The manual pages say what `--help` says, in a form that no word of it can disturb."""

import re

import manual
import pytest
from reference import known_exit_codes

from assay.cli.app import VERBS, _command

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
