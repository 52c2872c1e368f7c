"""Finds where each key of a TOML text is, which `tomllib` does not tell.

    positions_of_keys('[build]\\ncommands = ["make"]\\n')[("build", "commands")]    # Position(2, 1)

The text must be TOML that `tomllib` has accepted. Items of arrays have positions too: the first
command above has the path ("build", "commands", 0).
"""

import re
import tomllib
from collections import Counter
from typing import NamedTuple

Path = tuple[str | int, ...]  # of a key: names of tables and keys, and indexes of items

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")  # space, line ends and comments
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")  # a key, bare or quoted
_DOT = re.compile(r"[ \t]*\.[ \t]*")  # what separates the parts of a dotted key
# The order matters: three quotes begin a long string, which may end in up to five of them.
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})'
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^,\]}#\n]*")  # a number, date, true or false


class Position(NamedTuple):
    """Line and column, both counted from 1; columns are characters."""

    line: int
    column: int


def positions_of_keys(text: str) -> dict[Path, Position]:
    """The position of each key, table and item of a TOML text; the first one if it occurs several
    times."""
    scanner = _Scanner(text)
    scanner.document()
    return {path: _position(text, at) for path, at in scanner.found.items()}


def _position(text: str, at: int) -> Position:
    return Position(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


class _Scanner:
    """Scans a TOML text from its beginning to its end and notes where each key is. Use it once."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        # How many `[[name]]` of each name there were so far.
        self._tables: Counter[Path] = Counter()
        self.found: dict[Path, int] = {}

    def document(self) -> None:
        """Scan all lines of the text; each is a table's header, or a key and its value."""
        table: Path = ()
        self._skip_match(_BLANK)
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._key_and_value(table)
            self._skip_match(_BLANK)

    def _header(self) -> Path:
        """Scan `[name]` or `[[name]]`, and return the path that it opens."""
        many = self._text.startswith("[[", self._at)
        self._at += 2 if many else 1
        names = self._names()
        path: Path = ()
        for place, (name, at) in enumerate(names):
            path = (*path, name)
            self.found.setdefault(path, at)
            if many and place == len(names) - 1:
                self._tables[path] += 1
            if self._tables[path]:
                path = (*path, self._tables[path] - 1)
                self.found.setdefault(path, at)
        self._at += 2 if many else 1
        return path

    def _key_and_value(self, table: Path) -> None:
        path = table
        for name, at in self._names():
            path = (*path, name)
            self.found.setdefault(path, at)
        self._at += 1  # skip the equals sign
        self._skip_match(_BLANK)
        self._value(path)

    def _names(self) -> list[tuple[str, int]]:
        """Scan the parts of a dotted key, and return them with their positions."""
        names = []
        while True:
            self._skip_match(_BLANK)
            names.append((_unquoted(self._take_match(_KEY)), self._start))
            if not self._take_match(_DOT):
                self._skip_match(_BLANK)
                return names

    def _value(self, path: Path) -> None:
        opening = self._text[self._at]
        if opening == "[":
            self._list(path, "]")
        elif opening == "{":
            self._list(path, "}")
        elif not self._take_match(_STRING):
            self._skip_match(_PLAIN)

    def _list(self, path: Path, end: str) -> None:
        """Scan an array's items or an inline table's keys, up to its end."""
        self._at += 1
        index = 0
        self._skip_match(_BLANK)
        while self._text[self._at] != end:
            if end == "}":
                self._key_and_value(path)
            else:
                self.found.setdefault((*path, index), self._at)
                self._value((*path, index))
            index += 1
            self._skip_match(_BLANK)
            self._at += self._text[self._at] == ","
            self._skip_match(_BLANK)
        self._at += 1

    def _take_match(self, pattern: re.Pattern[str]) -> str:
        """The text that `pattern` matches at the present position, which moves behind it; it began
        at `_start`."""
        match = pattern.match(self._text, self._at)
        self._start = self._at
        if match is None:
            return ""
        self._at = match.end()
        return match.group()

    def _skip_match(self, pattern: re.Pattern[str]) -> None:
        self._take_match(pattern)


def _unquoted(key: str) -> str:
    """A key as `tomllib` names it, without quotes."""
    return next(iter(tomllib.loads(f"{key} = 0"))) if key[0] in "\"'" else key
