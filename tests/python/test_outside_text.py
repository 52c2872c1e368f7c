"""Text of others commands nothing: no CI system, no terminal, no spreadsheet, no web page."""

import io
import itertools
import json
from collections.abc import Iterator

import pytest

from assay.outside_text import (
    GuardedStream,
    csv_cell,
    csv_text,
    markdown_text,
    without_commands,
)

COMMANDS = (
    "::error::x",
    "  ::add-mask::x",
    "\u00a0::warning file=a::x",
    "\t::group::x",
    "##[error]x",
    "BM_a ##[group]x",
    "##vso[task.setvariable variable=a]x",
    "##teamcity[testFailed]",
    "section_start:1:a",
    "a section_end:1790000000:a[collapsed=true]",
)


def commands_in(text: str) -> Iterator[str]:
    """Lines that GitHub's runner, GitLab, Azure or TeamCity would obey, as these read a log."""
    for line in text.splitlines():
        inside = ("##[", "##vso[", "##teamcity[")
        if line.strip().startswith("::") or any(one in line for one in inside):
            yield line
        section = line.partition("section_")[2].split(":")
        if len(section) > 2 and section[0] in ("start", "end") and section[1].isdecimal():
            yield line


class _Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def printed(*parts: str, terminal: bool = False) -> str:
    raw = _Terminal() if terminal else io.BytesIO()
    stream = GuardedStream(io.TextIOWrapper(raw, encoding="utf-8"))
    for part in parts:
        assert stream.write(part) == len(part)
    stream.flush()
    return raw.getvalue().decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_one_without_the_door(command: str) -> None:
    assert list(commands_in(command))
    assert not list(commands_in(without_commands(command)))
    assert not list(commands_in(without_commands(f"a\n{command}\r{command}\u2028{command}")))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "before", ["", "x\n", "x\r\n", "\n", " " * 100, "x" * 100, "x\n" + " " * 99]
)
def test_no_command_comes_through_in_parts(before: str, command: str) -> None:
    whole = before + command
    for first, second in itertools.combinations(range(len(before), len(whole) + 1), 2):
        out = printed(whole[:first], whole[first:second], whole[second:])
        assert not list(commands_in(out)), (first, second)


@pytest.mark.parametrize(
    "text",
    [
        "plain\n",
        "std::vector<int>::at\n",
        "a ::b\n",
        "#[x]\n",
        "\u00fcber \u05e9 \U0001f600\n",
        "a\tb\n",
    ],
)
def test_what_commands_nothing_is_as_it_was(text: str) -> None:
    assert printed(text) == text
    assert printed(*text) == text


def test_json_still_says_the_same() -> None:
    text = json.dumps({"name": "##[error]", "other": "section_start:1:a"})
    out = printed(text)
    assert out != text
    assert json.loads(out) == json.loads(text)


def test_a_terminal_obeys_only_what_assay_sends() -> None:
    ours = "\r\x1b[2K\x1b[1;31mred\x1b[0m\n"
    assert printed(ours, terminal=True) == ours
    theirs = "\x1b]52;c;eA==\x07\x1b[2J\x1b[6n\x9b2J\u202e\x00\x08\udc80"
    out = printed(theirs, terminal=True)
    assert out.isascii()
    assert out.isprintable()


def test_what_the_encoding_lacks_is_escaped() -> None:
    raw = io.BytesIO()
    stream = GuardedStream(io.TextIOWrapper(raw, encoding="ascii"))
    stream.write("\u05e9 \U0001f600\n")
    stream.flush()
    assert raw.getvalue() == b"\\u05e9 \\U0001f600\n"


def test_a_pipe_is_sent_no_control_at_all() -> None:
    assert printed("a\r\x1b[1mb\n") == "a\\u000d\\u001b[1mb\n"


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", " =1", "|x", "%x", "::error::x"]
)
def test_a_spreadsheet_runs_no_cell_and_it_is_read_back(cell: str) -> None:
    for text in (cell, f"'{cell}", f"''{cell}"):
        written = csv_cell(text)
        assert written.startswith("'")
        assert csv_text(written) == text


@pytest.mark.parametrize("cell", ["BM_a/8", "'quoted'", "", "a=b", "1+1", "'", "don't"])
def test_other_cells_are_as_they_were(cell: str) -> None:
    assert csv_cell(cell) == csv_text(cell) == cell


@pytest.mark.parametrize(
    ("line", "never"),
    [
        ("thanks @octocat and @org/team", ["@octocat", "@org"]),
        ("fixes #12, GH-12, !12, %v1, ~bug, a/b#3", ["#12", "GH-12", "!12", "%v1", "~bug", "#3"]),
        ("see http://example.invalid or www.example.invalid", ["http://", "www."]),
        ("[x](javascript:alert(1)) ![y](z)", ["[x](", "![y]("]),
        ("<img src=x onerror=alert(1)> &lt;", [" <img", " &lt;"]),
        ("**bold** `code` _it_ ~~gone~~ | cell", ["**bold", " `code", " _it", "~~", " |"]),
    ],
)
def test_markdown_says_just_that(line: str, never: list[str]) -> None:
    shown = f" {markdown_text(line)}"
    assert not [one for one in never if one in shown]
    plain = shown.replace("\\", "").replace("\u200b", "")
    assert plain == f" {line}"
