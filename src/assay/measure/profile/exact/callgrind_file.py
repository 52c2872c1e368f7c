"""Reads one file of callgrind, as its manual defines the format (version 1).

    part = parse(text)
    part.event_that_wrote   '--dump-after=benchmark::State::FinishKeepRunning()'
    part.lines[0].cost       4
    part.events              ('Ir', 'Bcm'): what each amount counts; the first is `cost`

Names and positions are abbreviated: `(3)` stands for the name that `(3) name` gave before, `+4` for
4 more than the line before, `*` for the same. "The line before" means the last line with a
function's own cost. Callgrind's writer does not count lines of calls, nor the file named for one
(`fprint_jcc` in its dump.c). The manual does not say so, and it only matters where an instruction
calls but has no cost of its own, as at the start of a loop whose counts were reset in the call of
`StartKeepRunning`. Read otherwise, all addresses of the loop were wrong by the same distance. The
sum of all lines must be what the file says it is; a file that does not add up was cut short or
is not understood, and is refused.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest

import msgspec
from msgspec.structs import replace

from assay.errors import InputError

_HEADER = re.compile(r"([A-Za-z]\w*):\s*(.*)")  # a line "key: value"
# An abbreviated name: "(3)" or, where it is defined, "(3) name".
_NAMED = re.compile(r"\((\d+)\)(?: (.*))?")
# What each key of callgrind's format names; keys that are not listed name source files.
_KINDS = {"ob": "ob", "cob": "ob", "fn": "fn", "cfn": "fn"}
_LONGEST_NUMBER = 40  # digits; Python refuses very long numbers, and is slow with long ones
_SHOWN = 60  # characters of a line that a message quotes


class CallgrindSymbol(msgspec.Struct, frozen=True):
    """A function as a callgrind file names it: its executable or library, source file and name."""

    object: str
    file: str
    name: str


class CostLine(msgspec.Struct, frozen=True):
    """One line of costs: what an instruction or source line costs itself, without the functions it
    calls."""

    symbol: CallgrindSymbol
    file: str  # source file of this line; in inlined code it is not the function's
    address: int
    line: int
    cost: int  # of the first event, instructions
    others: tuple[int, ...] = ()  # amounts of the other events; trailing zeros may be missing


class CallLine(msgspec.Struct, frozen=True):
    """Calls made by one instruction or line; `times` is 0 if the call began before this file."""

    caller: CallgrindSymbol
    file: str
    address: int
    line: int
    callee: CallgrindSymbol
    times: int
    inclusive: int  # cost of the called function, with all that it called
    others: tuple[int, ...] = ()
    to: int = 0  # address at which the called function begins, in its executable or library
    number: int = 0  # the callee's number: callgrind numbers functions as they first run


class CallgrindPart(msgspec.Struct):
    """The content of one file of callgrind: own costs and calls."""

    trigger: str = ""  # what made callgrind write the file
    total: int = 0  # sum of all costs of the first event
    events: tuple[str, ...] = ()
    lines: list[CostLine] = msgspec.field(default_factory=list)
    calls: list[CallLine] = msgspec.field(default_factory=list)


def parse(text: str, where: str = "callgrind's file") -> CallgrindPart:
    """Read a whole file of callgrind. Raises `InputError` saying which line is wrong."""
    reader = _Reader(where)
    for number, line in enumerate(text.split("\n"), 1):
        reader.number = number
        if line and not line.startswith("#"):
            reader.read_line(line)
    return reader.finished_part()


def event_that_wrote(text: str) -> str:
    """Which event made callgrind write this file, from its first lines; empty: not stated."""
    for line in text.split("\n", 30)[:30]:
        if line.startswith("desc: Trigger: "):
            return line.removeprefix("desc: Trigger: ").strip()
    return ""


class _Reader:
    """The state of reading: abbreviations, positions and names valid at the current line."""

    def __init__(self, where: str) -> None:
        self.number = 0
        self._where = where
        self._part = CallgrindPart()
        self._names: dict[str, dict[str, str]] = {"ob": {}, "fn": {}, "file": {}}
        # Object, file and function that following lines of costs belong to.
        self._now = {"ob": "", "fl": "", "fn": "", "file": ""}
        self._own_file = ""  # the source file of the last line with own cost
        # Object, file and function of the callee, from `cob=`, `cfi=` and `cfn=` lines.
        self._callee: dict[str, str] = {}
        # The number of calls in a `calls=` line just read; the next line has their cost.
        self._count: int | None = None
        self._to = self._callee_number = 0  # where that call leads, and its callee's number
        self._jumped = False
        self._positions: tuple[str, ...] = ("line",)
        self._last: dict[str, int] = {"instr": 0, "line": 0}
        self._said: tuple[int, ...] | None = None  # the totals that the file states

    def read_line(self, line: str) -> None:
        """Read one line: costs, an assignment ("fn=..."), or a header ("events: Ir")."""
        first = line[0]
        if first in "+-*" or first.isdigit():
            self._cost_line(line)
            return
        key, equals, value = line.partition("=")
        if equals and key.isalpha() and ":" not in key:
            self._assign(key, value)
            return
        header = _HEADER.fullmatch(line)
        if header is None:
            raise self._error_at_line(line)
        self._header(header[1], header[2])

    def finished_part(self) -> CallgrindPart:
        """The whole file. Raises `InputError` unless its lines add up to its totals."""
        if self._said is None or not self._part.events:
            raise InputError("is not whole: it does not say its total", where=self._where)
        if self._count is not None:
            raise self._error_at_line("the end of the file after calls=")
        sums = self._sums()
        for event, said, summed in zip_longest(self._part.events, self._said, sums, fillvalue=0):
            if said != summed:
                what = f"its lines add up to {summed} {event}, but it says {said}"
                raise InputError(what, where=self._where)
        self._part.total = sums[0]
        return self._part

    def _sums(self) -> list[int]:
        lines = self._part.lines
        sums = [sum(one.cost for one in lines), *[0] * (len(self._part.events) - 1)]
        for one in lines:
            for index, amount in enumerate(one.others, 1):
                sums[index] += amount
        return sums

    def _header(self, key: str, value: str) -> None:
        if key == "positions":
            self._positions = tuple(value.split())
            if not self._positions or set(self._positions) - {"instr", "line"}:
                raise self._error_at_line(value)
        elif key == "events":
            events = tuple(value.split())
            if self._part.events not in ((), events):
                raise self._error_at_line(value)
            self._part.events = events
        elif key in ("totals", "summary"):
            self._total(key, value)
        elif key == "desc" and value.startswith("Trigger: "):
            self._part.trigger = value.removeprefix("Trigger: ").strip()

    def _total(self, key: str, value: str) -> None:
        said = tuple(self._number(word) for word in value.split() or ["0"])
        if self._said is not None and said != self._said:
            what = f"its {key} is {_list_of_names(said)}, after {_list_of_names(self._said)}"
            raise InputError(what, where=self._where)
        self._said = said

    def _assign(self, key: str, value: str) -> None:
        if key == "calls":
            self._calls(value.split() or [""])
        elif key in ("jump", "jcnd"):
            self._jumped = True
        elif key in ("ob", "fl", "fi", "fe", "fn", "cob", "cfl", "cfi", "cfn"):
            self._set_current_name(key, self._name(_KINDS.get(key, "file"), value))
            if key == "cfn":
                number = _NAMED.fullmatch(value)
                self._callee_number = int(number[1]) if number else 0
        else:
            raise self._error_at_line(f"{key}={value}")

    def _calls(self, words: list[str]) -> None:
        self._count = self._number(words[0])
        is_placed = self._positions[0] == "instr" and len(words) > 1
        self._to = self._position("instr", words[1]) if is_placed else 0

    def _set_current_name(self, key: str, name: str) -> None:
        if key in ("fi", "fe"):
            self._now["file"] = name
        elif key.startswith("c"):
            self._callee["fl" if key in ("cfl", "cfi") else key[1:]] = name
        else:
            self._now[key] = name
            self._now["file"] = self._own_file = self._now["fl"]

    def _name(self, kind: str, written: str) -> str:
        """The full name that a written one stands for; "(3) name" also defines "(3)"."""
        short = _NAMED.fullmatch(written)
        if short is None:
            return written
        known = self._names[kind]
        if short[2] is not None:
            known[short[1]] = short[2]
        if short[1] not in known:
            raise self._error_at_line(f"({short[1]})")
        return known[short[1]]

    def _cost_line(self, line: str) -> None:
        words = line.split()
        places = len(self._positions)
        if len(words) < places:
            raise self._error_at_line(line)
        at = {
            position: self._position(position, word)
            for position, word in zip(self._positions, words[:places], strict=True)
        }
        if self._jumped:  # the line says where a jump starts, and has no cost
            self._jumped = False
            return
        if len(words) > places + max(1, len(self._part.events)):
            raise self._error_at_line(line)
        cost, *others = map(self._number, words[places:] or ["0"])
        now = self._now
        symbol = CallgrindSymbol(now["ob"], now["fl"], now["fn"])
        place = (now["file"], at.get("instr", 0), at.get("line", 0))
        if self._count is None:
            self._part.lines.append(CostLine(symbol, *place, cost, tuple(others)))
            self._last.update(at)
            self._own_file = now["file"]
        else:
            self._call(symbol, place, cost, tuple(others))

    def _call(
        self,
        caller: CallgrindSymbol,
        place: tuple[str, int, int],
        cost: int,
        others: tuple[int, ...],
    ) -> None:
        to = self._callee
        file = to.get("fl", self._own_file)
        callee = CallgrindSymbol(to.get("ob", self._now["ob"]), file, to.get("fn", ""))
        called = CallLine(caller, *place, callee, self._count or 0, cost, others)
        self._part.calls.append(replace(called, to=self._to, number=self._callee_number))
        self._count, self._callee = None, {}
        self._now["file"] = self._own_file

    def _position(self, kind: str, word: str) -> int:
        """An address or line number, which may be relative to the last line of costs."""
        if word == "*":
            return self._last[kind]
        if word[0] in "+-":
            step = self._number(word[1:])
            moved = self._last[kind] + (step if word[0] == "+" else -step)
            if moved < 0:
                raise self._error_at_line(word)
            return moved
        return self._number(word)

    def _number(self, word: str) -> int:
        """A decimal or 0x number. Python's int() would also take 1_000, signs and other digits."""
        if word.isascii() and 0 < len(word) <= _LONGEST_NUMBER:
            if word.isdigit():
                return int(word)
            if word.startswith("0x") and re.fullmatch("[0-9a-fA-F]+", word[2:]):
                return int(word[2:], 16)
        raise self._error_at_line(word)

    def _error_at_line(self, what: str) -> InputError:
        return InputError(
            f"line {self.number} is not understood: {what[:_SHOWN]!r}", where=self._where
        )


def _list_of_names(amounts: tuple[int, ...]) -> str:
    return " ".join(map(str, amounts))


def symbols(part: CallgrindPart) -> Iterator[CallgrindSymbol]:
    """Every function that a callgrind file names, each once."""
    yield from dict.fromkeys(
        [one.symbol for one in part.lines]
        + [one.caller for one in part.calls]
        + [one.callee for one in part.calls]
    )
