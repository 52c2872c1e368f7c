"""Reads what `perf script` prints: a line for each sample, then one for each function around it.

    for sample in parse(text): sample.time_ns, sample.stack

Executables can contain any name for a symbol or file, so what a line does not clearly say is left
out of the stack.
"""

import re
from collections.abc import Iterator

import msgspec

FIELDS = "pid,tid,time,period,ip,sym,dso"  # what `perf script` is asked to print of each sample
# The first line that `perf script` prints of a sample: process, thread, time, weight.
_HEAD = re.compile(r"\s*(\d{1,10})/(\d{1,10})\s+(\d{1,12})\.(\d{9}):\s+(\d{1,18}):?\s*")
# A line of `perf script` for one function of a stack: address, symbol, file.
_LINE = re.compile(r"\s+([0-9a-f]{1,16}) (.*) \((.*)\)(?: *)")
_LONGEST = 2_000  # characters of a symbol's or file's name that are kept
_DEEPEST = 512  # functions of a stack that are kept


class RawFrame(msgspec.Struct, frozen=True):
    """One function of a stack as perf prints it: an address in a file or the kernel, and the symbol
    there."""

    address: int
    symbol: str
    file: str


RawStack = tuple[RawFrame, ...]


class RawSample(msgspec.Struct, frozen=True):
    """Where a thread was when perf took a sample. `stack` begins with the innermost function."""

    process: int
    time_ns: int
    weight: int  # nanoseconds or cycles that the sample stands for
    stack: RawStack


def parse(text: str) -> Iterator[RawSample]:
    """The samples in the output of `perf script`, except those without a stack."""
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
