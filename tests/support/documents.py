"""Reads the documents as blocks, and the commands in them.

    for block in blocks("docs/guides/reports.md"):
        for command in commands(block): ...

A block is what Markdown shows as code: fenced, or indented by four spaces after an empty line. In a
block with lines that begin with `$ `, these are the commands. In other blocks each line up to the
first empty one is a command (what follows is output), without a remark after two spaces, and
together with its continuation lines.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
GENERATED = "<!-- Written by tools/reference.py"  # these are compared with the programs elsewhere
_QUOTED = re.compile(r"<!-- quoted: (\S+) -->$")
_HEREDOC = re.compile(r"<<'?(\w+)'?")
_SPAN = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")


class Block(NamedTuple):
    """Lines that are shown as code."""

    document: str  # path relative to the root
    line: int  # number of its first line
    quoted: str  # the file that the block quotes; empty if it names none
    lines: tuple[str, ...]

    @property
    def first(self) -> str:
        return self.lines[0]


def documents() -> list[str]:
    """Every document that is written by people."""
    paths = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "labs/os/CASES.md")]
    paths += [ROOT / "schema" / "README.md", *(ROOT / "docs").rglob("*.md")]
    written = [path for path in paths if GENERATED not in path.read_text()[:400]]
    return sorted(path.relative_to(ROOT).as_posix() for path in written)


def blocks(document: str) -> Iterator[Block]:
    """Every block of a document."""
    lines = (ROOT / document).read_text().splitlines()
    at = 0
    while at < len(lines):
        if lines[at].startswith("```"):
            end = lines.index("```", at + 1)
            quoted = _QUOTED.match(lines[at - 1]) if at else None
            inside = tuple(lines[at + 1 : end])
            yield Block(document, at + 2, quoted[1] if quoted else "", inside)
            at = end
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            inside = tuple(line[4:] for line in lines[at:end])
            yield Block(document, at + 1, "", _without_empty_end(inside))
            at = end - 1
        at += 1


def commands(block: Block) -> Iterator[str]:
    """The commands that a reader would type, each with all its lines."""
    typed = [line[2:] for line in block.lines if line.startswith("$ ")]
    empty = next((at for at, line in enumerate(block.lines) if not line.strip()), None)
    lines = typed or [line for line in block.lines[:empty] if not re.match(r"# |#$", line)]
    at = 0
    while at < len(lines):
        end = _last_line(lines, at)
        yield "\n".join(lines[at : end + 1]) if end > at else _without_remark(lines[at])
        at = end + 1


def spans(document: str) -> list[str]:
    """The texts between backquotes, each on one line."""
    text = (ROOT / document).read_text()
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return [" ".join(span.split()) for span in _SPAN.findall(text)]


def _last_line(lines: list[str], at: int) -> int:
    heredoc = _HEREDOC.search(lines[at])
    if heredoc:
        return lines.index(heredoc[1], at)
    while lines[at].endswith("\\"):
        at += 1
    return at


def _without_remark(line: str) -> str:
    return re.split(r"\s{2,}", line.strip())[0]


def _without_empty_end(lines: tuple[str, ...]) -> tuple[str, ...]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines
