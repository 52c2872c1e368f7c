"""The reader of callgrind's files: what its manual allows, and what nobody should send."""

import re
from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from assay.errors import InputError
from assay.measure.profile.exact.callgrind_file import (
    CallgrindPart,
    CallgrindSymbol,
    CallLine,
    CostLine,
    event_that_wrote,
    parse,
    symbols,
)

# After the format's description in valgrind's manual: subpositions, names and calls, compressed.
# Those of a call's line are, as callgrind writes them, no "line before" for the next one.
MANUAL = """\
# callgrind format
version: 1
creator: callgrind-3.19.0
desc: Trigger: --dump-after=benchmark::State::FinishKeepRunning()
positions: instr line
events: Ir

fl=(1) file1.c
fn=(1) main
0x1000 16 400
cfn=(2) func1
calls=1 0x2000 50
+16 16 400
+20 +1 100
fi=(3) inlined.h
* 7 11
cob=(1) libc.so
cfi=(2) file2.c
cfn=(3) func2
calls=3 0x3000 20
* -1 800
+2 +1 5

fn=(2)
0x2000 51 100
cob=(1)
cfi=(2)
cfn=(3)
calls=2 0x3000 20
+5 51 600
jcnd=2/3 +4 51
* 51
+3 51

totals: 616
"""


EVENTS = ("Ir", "D1mr", "Bcm")


def test_names_and_positions_written_short_are_read() -> None:
    part = parse(MANUAL)
    main, func1 = CallgrindSymbol("", "file1.c", "main"), CallgrindSymbol("", "file1.c", "func1")
    func2 = CallgrindSymbol("libc.so", "file2.c", "func2")
    assert part.lines[:5] == [
        CostLine(main, "file1.c", 0x1000, 16, 400),
        CostLine(main, "file1.c", 0x1014, 17, 100),
        CostLine(main, "inlined.h", 0x1014, 7, 11),
        CostLine(main, "inlined.h", 0x1016, 8, 5),
        CostLine(func1, "file1.c", 0x2000, 51, 100),
    ]
    assert part.calls == [
        CallLine(main, "file1.c", 0x1010, 16, func1, 1, 400, to=0x2000, number=2),
        CallLine(main, "inlined.h", 0x1014, 6, func2, 3, 800, to=0x3000, number=3),
        CallLine(func1, "file1.c", 0x2005, 51, func2, 2, 600, to=0x3000, number=3),
    ]
    assert part.total == 616
    assert list(symbols(part)) == [main, func1, func2]


# Of a real file: the counts of `call StartKeepRunning` at 0x2ac8 were set back within it, so it
# has no cost of its own, and what follows counts from 0x2a8c. Callgrind leaves the file of the
# call, too, without saying so.
BEGINS = """\
positions: instr line
events: Ir
fl=(182) bench.cpp
fn=(4404) BM_json(benchmark::State&)
0x2a8c 951 1
fi=(183) benchmark.h
cob=(8) libbenchmark.so
cfi=(158) ???
cfn=(4426) benchmark::State::StartKeepRunning()
calls=1 0x146a0 0
+60 +13 238
+65 271 7
totals: 8
"""


def test_a_call_without_cost_of_its_own_is_no_line_before() -> None:
    part = parse(BEGINS)
    symbol = CallgrindSymbol("", "bench.cpp", "BM_json(benchmark::State&)")
    assert part.lines[1] == CostLine(symbol, "bench.cpp", 0x2ACD, 271, 7)
    (call,) = part.calls
    assert (call.file, call.address, call.line) == ("benchmark.h", 0x2AC8, 964)


def test_what_made_callgrind_write_it() -> None:
    assert parse(MANUAL).trigger == "--dump-after=benchmark::State::FinishKeepRunning()"
    assert event_that_wrote(MANUAL) == parse(MANUAL).trigger
    assert event_that_wrote("") == ""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("totals: 616", "totals: 617", "its lines add up to 616 Ir, but it says 617"),
        ("totals: 616\n", "", "is not whole"),
        ("events: Ir\n", "", "is not whole"),
        ("events: Ir", "events: Ir\nsummary: 610", "its totals is 616, after 610"),
        ("calls=3 0x3000 20", "calls=x 0x3000 20", "'x'"),
        ("0x1000 16 400", "0x1000 16 4_00", "'4_00'"),
        ("0x1000 16 400", "0x1000 16 4\u0660", "is not understood"),
        ("events: Ir", "events: Ir Bcm\nsummary: 616 7", "its totals is 616, after 616 7"),
        ("0x1000 16 400", "0x1000 16 -400", "'-400'"),
        ("0x1000 16 400", "0x1000 16 400 7 8", "is not understood"),
        ("0x1000 16 400", "0x1000 16 " + "9" * 5000, "is not understood"),
        ("* -1 800", "* -99 800", "'-99'"),
        ("fn=(2)\n", "events: Ir Bcm\n", "'Ir Bcm'"),
        ("fn=(2)\n", "fn=(77)\n", "'(77)'"),
        ("positions: instr line", "positions: column", "is not understood"),
        ("fl=(1) file1.c", "xx=(1) file1.c", "is not understood"),
        ("0x1000 16 400", "<b>bold</b>", "is not understood"),
    ],
)
def test_a_wrong_file_is_refused(old: str, new: str, said: str) -> None:
    assert old in MANUAL
    with pytest.raises(InputError, match=re.escape(said)) as raised:
        parse(MANUAL.replace(old, new, 1))
    assert len(raised.value.message) < 300


@given(st.integers(0, len(MANUAL)))
def test_a_file_that_was_cut_is_refused_or_says_the_same(end: int) -> None:
    try:
        part = parse(MANUAL[:end])
    except InputError:
        return
    assert part.total == 616


@given(st.text(alphabet="=():+-*0x19acfnobjlie \n", max_size=200))
@example("calls=1\n")
@example("+\n")
@example("0x\n")
@example("fn=\n1 2 3")
def test_whatever_is_in_it_nothing_but_our_error_comes_out(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


@pytest.mark.parametrize("name", ["x" * 10_000, "<script>alert(1)</script>", "a\x1b[31mb\x00", "ü"])
def test_names_are_kept_as_they_are(name: str) -> None:
    part = parse(MANUAL.replace("(1) main", f"(1) {name}"))
    assert part.lines[0].symbol.name == name


@dataclass
class Written:
    """Writes a part as callgrind does, names and positions short."""

    text: str = ""
    known: int = 0

    def __post_init__(self) -> None:
        self._names: dict[tuple[str, str], int] = {}

    def name(self, key: str, kind: str, name: str) -> None:
        number = self._names.get((kind, name))
        if number is None:
            number = self._names[kind, name] = len(self._names) + 1
            self.text += f"{key}=({number}) {name}\n"
        else:
            self.text += f"{key}=({number})\n"


def written(part: CallgrindPart) -> str:
    out = Written(f"positions: instr line\nevents: {' '.join(EVENTS)}\n")
    last = 0
    for line in [*part.lines, *part.calls]:
        symbol = line.symbol if isinstance(line, CostLine) else line.caller
        out.name("ob", "ob", symbol.object)
        out.name("fl", "file", symbol.file)
        out.name("fn", "fn", symbol.name)
        if line.file != symbol.file:
            out.name("fi", "file", line.file)
        if isinstance(line, CallLine):
            out.name("cob", "ob", line.callee.object)
            out.name("cfi", "file", line.callee.file)
            out.name("cfn", "fn", line.callee.name)
            out.text += f"calls={line.times} {line.to:#x} 1\n"
        step = line.address - last
        cost = line.cost if isinstance(line, CostLine) else line.inclusive
        out.text += f"{step:+d} {line.line} {' '.join(map(str, [cost, *line.others]))}\n"
        if isinstance(line, CostLine):
            last = line.address
    amounts = [(one.cost, *one.others, 0, 0)[:3] for one in part.lines]
    sums = [sum(column) for column in zip(*amounts, strict=True)]
    return out.text + f"totals: {' '.join(map(str, sums))}\n"


_NAMES = st.text(alphabet="abc:<>()= *", min_size=1, max_size=6).map(lambda s: f"f{s}".strip())
_SYMBOLS = st.builds(CallgrindSymbol, _NAMES, _NAMES, _NAMES)
_NUMBERS = st.integers(0, 10**12)
_OTHERS = st.lists(_NUMBERS, max_size=len(EVENTS) - 1).map(tuple)  # zeros at the end are left out
_SPENT = st.builds(CostLine, _SYMBOLS, _NAMES, _NUMBERS, _NUMBERS, _NUMBERS, _OTHERS)
_CALLED = st.builds(
    CallLine, _SYMBOLS, _NAMES, _NUMBERS, _NUMBERS, _SYMBOLS, _NUMBERS, _NUMBERS, _OTHERS, _NUMBERS
)


@given(st.lists(_SPENT, max_size=8), st.lists(_CALLED, max_size=4))
def test_what_is_written_is_read_again(lines: list[CostLine], calls: list[CallLine]) -> None:
    part = CallgrindPart(lines=lines, calls=calls)
    again = parse(written(part))
    assert again.lines == lines
    # The writer numbers functions anew, so that numbers are not compared.
    assert [replace(one, number=0) for one in again.calls] == [
        replace(one, number=0) for one in calls
    ]
    assert all(one.number for one in again.calls)
    assert again.total == sum(one.cost for one in lines)
    assert again.events == EVENTS


def test_every_event_must_add_up() -> None:
    symbol = CallgrindSymbol("o", "f", "n")
    text = written(
        CallgrindPart(
            lines=[CostLine(symbol, "f", 1, 1, 5, (2, 3)), CostLine(symbol, "f", 2, 1, 5)]
        )
    )
    assert "totals: 10 2 3" in text
    with pytest.raises(InputError, match="its lines add up to 3 Bcm, but it says 4"):
        parse(text.replace("totals: 10 2 3", "totals: 10 2 4"))
