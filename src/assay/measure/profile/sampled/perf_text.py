"""Reads what `perf script` prints: a line for each sample, then one for each function around it.

    for sample in parse(text): sample.time_ns, sample.stack

Executables can contain any name for a symbol or file, so what a line does not clearly say is left
out of the stack.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

FIELDS = "pid,tid,time,period,ip,sym,dso"
_HEAD = re.compile(r"\s*(\d{1,10})/(\d{1,10})\s+(\d{1,12})\.(\d{9}):\s+(\d{1,18}):?\s*")
_LINE = re.compile(r"\s+([0-9a-f]{1,16}) (.*) \((.*)\)(?: *)")
_LONGEST = 2_000  # characters of a name that are kept
_DEEPEST = 512


class RawFrame(NamedTuple):
    """An address in a file or in the kernel; `symbol` is spelled as in the file."""

    address: int
    symbol: str
    file: str


RawStack = tuple[RawFrame, ...]


class RawSample(NamedTuple):
    """Where a thread was at one moment; the innermost frame comes first."""

    process: int
    time_ns: int
    weight: int
    stack: RawStack


def parse(text: str) -> Iterator[RawSample]:
    """The samples in perf's output, except those without a stack."""
    head: re.Match[str] | None = None
    stack: list[RawFrame] = []
    known: dict[str, RawFrame | None] = {}
    for line in text.split("\n"):
        begins = None if line.startswith("\t") else _HEAD.fullmatch(line)
        if begins:
            if head and stack:
                yield _sample(head, stack)
            head, stack = begins, []
        elif head and line and len(stack) < _DEEPEST:
            if line not in known:
                known[line] = _frame(line)
            frame = known[line]
            if frame is not None:
                stack.append(frame)
    if head and stack:
        yield _sample(head, stack)


def _sample(head: re.Match[str], stack: list[RawFrame]) -> RawSample:
    time_ns = int(head[3]) * 1_000_000_000 + int(head[4])
    return RawSample(int(head[1]), time_ns, int(head[5]), tuple(stack))


def _frame(line: str) -> RawFrame | None:
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    return RawFrame(int(found[1], 16), found[2][:_LONGEST], found[3][:_LONGEST])
