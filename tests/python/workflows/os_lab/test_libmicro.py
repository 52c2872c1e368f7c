"""libMicro's text, byte for byte: tests/data/os is what the C++ program printed for its records."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import cast

import msgspec
import pytest
from conftest import DATA

from assay.model import Record
from assay.os_lab import OsCommand
from assay.record.reader import read
from assay.workflows.os_lab.case import OsCaseResult
from assay.workflows.os_lab.lab import OsLab
from assay.workflows.os_lab.libmicro import case_echo, case_report, record_report

PRINTED = DATA / "os"
ALL = sorted(path.stem for path in PRINTED.glob("*.report"))
SINGLE = sorted(path.stem for path in PRINTED.glob("*.out"))
ECHOED = sorted(path.stem for path in PRINTED.glob("*.err"))


class Line(msgspec.Struct):
    """What `assay-os parse` says of a command line."""

    words: tuple[str, ...]
    command: OsCommand


@cache
def lines() -> dict[tuple[str, ...], OsCommand]:
    text = (PRINTED / "commands.json").read_bytes()
    return {line.words: line.command for line in msgspec.json.decode(text, type=list[Line])}


class KnownCommands:
    """A lab that answers from the file."""

    def commands(self, asked: Sequence[Sequence[str]]) -> tuple[OsCommand, ...]:
        return tuple(lines()[tuple(words)] for words in asked)


def of_one_command_line(name: str) -> OsCaseResult:
    """What was measured; how long it took is in the text alone."""
    record = read(PRINTED / f"{name}.json")
    words = tuple(record.context["executable"].removeprefix("assay-os ").split())
    texts = [PRINTED / f"{name}.out", *PRINTED.glob(f"{name}.err")]
    took = re.search(r"(?:elapsed time|for) +(\d+\.\d{5})", "".join(map(Path.read_text, texts)))
    return OsCaseResult(words, lines()[words], record, float(took[1]) if took else 0.0, "")


def report(record: Record) -> str:
    return record_report(record, cast(OsLab, KnownCommands()))


def test_there_are_cases_of_every_kind() -> None:
    assert len(SINGLE) == 11
    assert sorted([*SINGLE, "turns"]) == ALL
    assert ECHOED == ["exec", "few", "pinned"]


@pytest.mark.parametrize("name", SINGLE)
def test_case_is_printed_as_by_the_program(name: str) -> None:
    printed = (PRINTED / f"{name}.out").read_text()
    assert case_report(of_one_command_line(name)) == printed


@pytest.mark.parametrize("name", SINGLE)
def test_echo(name: str) -> None:
    path = PRINTED / f"{name}.err"
    assert case_echo(of_one_command_line(name)) == (path.read_text() if name in ECHOED else "")


@pytest.mark.parametrize("name", ALL)
def test_record_is_printed_as_by_the_program(name: str) -> None:
    """`turns` has the launches of several runs mixed, and a run whose samples are all equal."""
    assert report(read(PRINTED / f"{name}.json")) == (PRINTED / f"{name}.report").read_text()
