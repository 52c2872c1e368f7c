"""The first sentence of an answer: how much, who, and what it does now."""

from fractions import Fraction

import pytest
from explanations import exact_work
from msgspec.structs import replace

from assay.explained import Explained
from assay.judge.attribution.code_findings import findings_on_code
from assay.judge.attribution.findings import findings
from assay.machine_code import DearInstruction, MachineCode
from assay.show.words import format, why_code, why_first
from assay.show.words.why_first import times
from assay.stacks import Stacks
from assay.timed import WAITING, Instructions, TimeChange, Timed, TimeInterval
from assay.work import ChangeReason, OwnChange, Place

AT = Place("/home/me/src/vm.cpp", 112)
NOTHING = TimeInterval(0, 0, 0)
NEW, DELETE = "operator new(unsigned long)", "operator delete(void*)"


def sentence(found: Explained) -> str:
    return why_first.sentence(findings(found).first)


def why(kind: str, callee: str, amount: int, before: int = 0, now: int = 0) -> ChangeReason:
    return ChangeReason(kind, callee, AT, Fraction(amount), (Fraction(before), Fraction(now)))


def does(*reasons: ChangeReason) -> OwnChange:
    amount = sum((one.amount for one in reasons), Fraction(0))
    return OwnChange("enter", amount, 100, 100, reasons)


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (why("itself", "", 170), "17 % more instructions: `enter` does more at vm.cpp:112"),
        (why("library", "memmove", 170, 0, 10), "now calls `memmove` at vm.cpp:112"),
        (why("library", NEW, 170, 0, 10), "now allocates at vm.cpp:112"),
        (why("library", "memmove", 170, 10, 10), "spends more in `memmove`, called at vm.cpp:112"),
        (why("library", "memmove", 170, 10, 30), "calls `memmove` 3.0 times as often at vm.cpp"),
        (why("calls", "crc", 170, 100, 120), "calls `crc` 20 % more often at vm.cpp:112"),
        (why("calls", "crc", -170, 10, 0), "17 % fewer instructions: `enter` no longer calls"),
        (why("inlined", "mix", 170, 1, 2), "does more of `mix`, inlined at vm.cpp:112"),
        (why("library", "vm::Frame::Frame(vm::Frame const&)", 170, 0, 5), "now copies a `Frame`"),
        (why("itself", "", 2400), "3.4 times as many instructions"),
        (why("outside", "", 170, 1, 2), "is called more often from outside the code measured"),
    ],
)
def test_what_the_function_does_now(reason: ChangeReason, said: str) -> None:
    assert said in sentence(Explained("BM", exact_work(does(reason), base=1000)))


def test_of_an_allocation_and_its_release_the_allocation_is_told() -> None:
    change = does(why("library", DELETE, 188, 0, 2), why("library", NEW, 108, 0, 2))
    assert "`enter` now allocates at" in sentence(Explained("BM", exact_work(change, base=1000)))


def test_what_goes_the_other_way_is_no_reason() -> None:
    change = does(why("itself", "", 500), why("calls", "crc", -330, 10, 0))
    assert "`enter` does more" in sentence(Explained("BM", exact_work(change, base=1000)))


def timed(
    whole: TimeInterval, name: str = "enter", instructions: Instructions | None = None
) -> Timed:
    change = TimeChange(name, True, NOTHING, NOTHING, whole, instructions=instructions)
    waiting = TimeChange(WAITING, False, NOTHING, NOTHING, NOTHING)
    told = (change,)
    after = 1000 + whole.amount
    return Timed(
        20, 1000, after, whole, waiting, told, told, (), Stacks({}, {}), "cycles", 0.05
    )  # fmt: skip


def test_time_is_told_with_its_interval() -> None:
    work = exact_work(does(why("library", "vm::Frame::Frame(vm::Frame const&)", 170, 0, 10)))
    found = Explained("BM", work, time=timed(TimeInterval(170, 150, 190)))
    assert sentence(found) == "17 % slower: `enter` now copies a `Frame` at vm.cpp:112 [15, 19]"
    faster = Explained("BM", time=timed(TimeInterval(-170, -190, -150)))
    assert sentence(faster) == "17 % faster: `enter` [15, 19]"
    longer = Explained("BM", time=timed(TimeInterval(2400, 2200, 2600)))
    assert sentence(longer) == "3.4 times as long: `enter` [3.2, 3.6]"
    twice = Explained("BM", time=timed(TimeInterval(1000, 1000, 1000)))
    assert sentence(twice) == "2.0 times as long: `enter` [2.0, 2.0]"
    nearly = Explained("BM", time=timed(TimeInterval(900, 800, 1100)))
    assert sentence(nearly) == "90 % slower: `enter` [80, 110]"
    tiny = Explained("BM", time=timed(TimeInterval(1, 1, 2)))
    assert sentence(tiny) == "0.1 % slower: `enter` [0.1, 0.2]"


def test_the_same_instructions_in_more_time() -> None:
    one = timed(TimeInterval(170, 150, 190), instructions=Instructions(50, 50))
    assert sentence(Explained("BM", time=one)) == (
        "17 % slower: `enter` takes more for the same instructions [15, 19]"
    )


def test_waiting_is_told_as_such() -> None:
    waits = Explained("BM", time=timed(TimeInterval(170, 150, 190), WAITING))
    assert sentence(waits) == "17 % slower: it waits, on no CPU [15, 19]"


def test_where_nothing_is_sure_there_is_no_such_sentence() -> None:
    work = exact_work(does(why("itself", "", 170)))
    assert sentence(Explained("BM")) == ""
    assert sentence(Explained("BM", replace(work, told=()))) == ""
    # Where the time is unsure, the work is sure all the same.
    for unsure in (TimeInterval(170, -10, 350), TimeInterval(170, None, None)):
        found = Explained("BM", work, time=timed(unsure))
        assert sentence(found).startswith("0.17 % more instructions: `enter` does more")
        assert sentence(replace(found, work=None)) == ""


@pytest.mark.parametrize(
    ("factor", "said"),
    [(1.171, "17 % slower"), (1.004, "0.4 % slower"), (0.5, "50 % faster"),
     (1.9, "90 % slower"), (1.0994, "9.9 % slower"), (1.0996, "10 % slower"),
     (2.0, "2.0 times as long"), (99.94, "99.9 times as long"), (100.0, "100 times as long"),
     (2273.0, "2,273 times as long")],
)  # fmt: skip
def test_how_much(factor: float, said: str) -> None:
    assert times(factor, ("slower", "faster"), "as long") == said


@pytest.mark.parametrize(
    ("fraction", "said"),
    [(0.312, "+31.2 %"), (-1.5, "-150.0 %"), (22.0, "x23"), (998.6, "x1,000"), (2272.0, "x2,273")],
)
def test_a_large_change_is_a_factor_and_no_power_of_ten(fraction: float, said: str) -> None:
    assert format.change(fraction) == said


def test_as_many_instructions_but_dearer_ones() -> None:
    dear = DearInstruction("handle", "locked", "lock add qword ptr [rdi], 1", AT, 1000)
    code = MachineCode(1000, (), dear=(dear,))
    same = exact_work(base=1000)
    assert sentence(Explained("BM", same, code=code)) == (
        "as many instructions as before, but dearer ones: `handle` now executes a locked "
        "instruction (atomic) at vm.cpp:112"
    )
    slower = Explained("BM", same, time=timed(TimeInterval(170, 150, 190), "sum"), code=code)
    assert sentence(slower) == (
        "17 % slower: `handle` now executes a locked instruction (atomic) at vm.cpp:112 [15, 19]"
    )
    faster = Explained("BM", same, time=timed(TimeInterval(-170, -190, -150)), code=code)
    assert "handle" not in sentence(faster)
    more = Explained("BM", exact_work(does(why("itself", "", 170))), code=code)
    assert "`enter` does more" in sentence(more)
    assert why_code.sentence(findings_on_code(code, (), most=5).lines[0]).startswith(
        "`handle` now executes a locked instruction (atomic) at vm.cpp:112, once an iteration more"
    )
