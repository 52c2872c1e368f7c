"""Reads what `strace -f -T -k` wrote: the system calls of each loop of one launch.

for loop in loops(text):
    loop[0].name, loop[0].ns, loop[0].stack

The library in the program marks the begin and the end of a loop by a write that fails.
"""

import re
from collections.abc import Iterator

import msgspec

from assay.measure.profile.program.segments import Segments
from assay.measure.profile.traced.call_stacks import ReturnAddress, Stack

# The system call by which our library marks the begin of a loop.
BEGIN = 'write(-1, "assay: the loop begins"'
END = 'write(-1, "assay: the loop has ended"'  # the system call that marks its end
_CALL = re.compile(r"(\d+) +(\w+)\(")  # thread and name of a system call
# strace's second line on a system call that another thread interrupted.
_RESUMED = re.compile(r"(\d+) +<\.\.\. (\w+) resumed>")
_TOOK = re.compile(r"<(\d+\.\d+)>$")  # duration of a system call, in seconds
# A line of a call stack as strace prints it: file, function, address.
_FRAME = re.compile(r" > (.*?)(?:\((.*)\+0x[0-9a-f]+\)|\(\))? \[0x([0-9a-f]+)\]")
# System calls that our library and the engine make where a loop begins, in this order.
_OF_THE_GATE = (" rt_sigreturn(", " clock_gettime(CLOCK_THREAD_CPUTIME_ID")


class SystemCall(msgspec.Struct, frozen=True):
    """A system call that returned. Its stack is in addr2line's addresses; empty if not recorded."""

    name: str
    ns: int  # duration; strace makes it longer
    stack: Stack


def loops(text: str) -> Iterator[list[SystemCall]]:
    """The system calls of each loop of a launch that was traced to its end, in order."""
    elves: dict[str, Segments] = {}
    inside: list[tuple[str, list[str]]] | None = None
    for line, frames in _lines_with_stacks(text):
        if BEGIN in line:
            inside = []
        elif END in line and inside is not None:
            yield list(_system_calls_of_loop(inside, elves))
            inside = None
        elif inside is not None:
            inside.append((line, frames))


def _system_calls_of_loop(
    records: list[tuple[str, list[str]]], elves: dict[str, Segments]
) -> Iterator[SystemCall]:
    """The system calls of one loop, without those of our library and of the engine's clock."""
    start = 0
    for mine in _OF_THE_GATE:
        start += start < len(records) and mine in records[start][0]
    for line, frames in records[start:]:
        call = _call(line)
        if call is not None:
            yield SystemCall(*call, _stack(frames, elves))


def _lines_with_stacks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each line of strace's output, with the lines of its call stack."""
    line, frames = "", list[str]()
    for one in text.split("\n"):
        if one.startswith(" > "):
            frames.append(one)
            continue
        if line:
            yield line, frames
        line, frames = one, []
    if line:
        yield line, frames


def _call(line: str) -> tuple[str, int] | None:
    """Name and duration of a system call, if this line says that it has returned; otherwise
    None."""
    if line.endswith("<unfinished ...>"):
        return None
    start = _CALL.match(line) or _RESUMED.match(line)
    took = _TOOK.search(line)
    if start is None:
        return None
    return start[2], round(float(took[1]) * 1e9) if took else 0


def _stack(frames: list[str], elves: dict[str, Segments]) -> Stack:
    """The call stack that strace printed below a system call."""
    calls = []
    for number, line in enumerate(frames):
        split = _FRAME.fullmatch(line)
        if split is None:
            break  # strace could not unwind further
        path, name, offset = split[1], split[2] or "", int(split[3], 16)
        if path not in elves:
            elves[path] = Segments.of_file(path) if path.startswith("/") else Segments(b"")
        address = elves[path].address(offset)
        calls.append(ReturnAddress(path, address, _public_name(name), is_return=number > 0))
    return tuple(calls)


def _public_name(name: str) -> str:
    """The public name, such as `write`, for glibc's internal one, such as `__write`."""
    return name.removeprefix("__libc_").removeprefix("__GI_").lstrip("_")
