"""Makes text of others harmless where it is printed: names, messages, labels that anybody wrote.

    guard_standard_streams()        everything that is printed from here on
    without_commands(text)          a whole text file: nothing in it commands a CI system
    csv_cell("=1+1")                "'=1+1": a spreadsheet shows it and does not run it
    csv_text("'=1+1")               "=1+1": what such a cell was made of
    markdown_text("@all <b>")       no mention, no link, no HTML, no emphasis

CI systems read logs too. A line that begins with `::add-mask::` commands GitHub, one that holds
`##[group]` too, and GitLab and others have their own commands; a benchmark may have such a name.
Lines are guarded where they are written out, not where they are made, because paragraphs are
broken into lines last. Characters are escaped as in JSON, so that JSON still means the same.
"""

import io
import os
import re
import sys

# Commands that CI systems find in logs. The last character of a match is escaped, to disarm it.
_COMMAND = re.compile(
    r"(?:^|(?<=[\n\r\x0b\x0c\x85\u2028\u2029]))[^\S\n\r]*::"  # GitHub: at the beginning of a line
    r"|##(?:vso|teamcity)?\["  # GitHub's old form, Azure, TeamCity: anywhere
    r"|section_(?:start|end):\d+:"  # GitLab: anywhere
)
# Control characters that a terminal obeys. `_CONTROL` lets through what Assay itself sends:
# colours, and erasing a line.
_OTHERS = (
    r"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"
    r"|[\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_CONTROL = re.compile(r"\x1b(?!\[[0-9;]*m|\[2K)" + _OTHERS)
_ANY_CONTROL = re.compile(r"[\x1b\r]" + _OTHERS)
_LINE_END = re.compile(r"[\n\r\x0b\x0c\x85\u2028\u2029]")
# Characters of an unfinished line that are kept, to see a CI command that comes in two writes.
_LONGEST_COMMAND = 64

# Beginnings of a cell that a spreadsheet runs as a formula.
_FORMULA = re.compile(r"\s*(?:[=+\-@|%]|::)|[\t\r]")
# A formula that `csv_cell` has put an apostrophe before.
_QUOTED_FORMULA = re.compile(r"'(?='*(?:\s*(?:[=+\-@|%]|::)|[\t\r]))")

_NOTHING = "\u200b"  # a space without width, after "@" and "#": GitHub links even escaped text
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~&])")  # characters that mean something in Markdown
# Where GitHub and GitLab would begin a mention, an issue number or a link.
_LINKS = re.compile(r"[@#!$%~](?=\w)|:(?=//)|(?<=www)(?=\.)|(?<=GH)(?=-\d)")


def without_commands(text: str) -> str:
    """The text with commands to CI systems (`::add-mask::`) escaped, so that they do nothing."""
    return _COMMAND.sub(lambda found: found[0][:-1] + _escaped(found[0][-1]), text)


def csv_cell(text: str) -> str:
    """A cell that no spreadsheet runs as a formula: an apostrophe before it makes it text."""
    return f"'{text}" if _FORMULA.match(text) or _QUOTED_FORMULA.match(text) else text


def csv_text(cell: str) -> str:
    """The text that `csv_cell` made this cell of."""
    return cell[1:] if _QUOTED_FORMULA.match(cell) else cell


def markdown_text(line: str) -> str:
    """One line of text as Markdown that shows exactly this text, without links or emphasis."""
    unlinked = _LINKS.sub(lambda found: f"{found[0]}{_NOTHING}", line)
    return _MARKUP.sub(r"\\\1", unlinked)


def guard_standard_streams() -> None:
    """Escape what stdout and stderr print from here on, so that it cannot command a CI system or a
    terminal."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and not isinstance(stream, GuardedStream):
            stream.flush()
            setattr(sys, name, GuardedStream(stream))


class GuardedStream(io.TextIOWrapper):
    """A text stream that escapes commands to CI systems and terminals, also those split over
    writes."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self._before = stream  # the stream that this one replaced; others may still write to it
        self._line = ""  # the end of what was written since the last line break
        # Only on a terminal are colours and the rewriting of the progress line let through.
        self._shows_colour = stream.isatty() or bool(os.environ.get("FORCE_COLOR"))
        super().__init__(
            stream.buffer,
            encoding=stream.encoding,
            errors="backslashreplace",  # an encoding that lacks a character raises nothing
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )

    def write(self, text: str, /) -> int:
        """Write the text, escaped; return the length of what was given, as every stream does."""
        super().write(self._escaped_text(text))
        return len(text)

    def _escaped_text(self, text: str) -> str:
        """The text with control characters and CI commands escaped, seen together with what was
        written before on the same line."""
        control = _CONTROL if self._shows_colour else _ANY_CONTROL
        visible = control.sub(lambda found: _escaped(found[0]), text)
        whole = without_commands(self._line + visible)
        written = whole[len(self._line) :]  # text written before has no command in it
        self._line = _last_line(whole)
        return written


def _last_line(text: str) -> str:
    """The end of the unfinished line, as long as is needed to recognise a CI system's command
    (`::add-mask::`) of which the next write brings the rest."""
    line = _LINE_END.split(text[-_LONGEST_COMMAND:])[-1]
    if len(line) < _LONGEST_COMMAND:
        return line
    begun = _LINE_END.split(text)[-1].strip()
    return f" {begun}" if len(begun) < 2 else f"-{line}"


def _escaped(character: str) -> str:
    """The character as JSON escapes it: `\\u001b`."""
    return f"\\u{ord(character):04x}"
