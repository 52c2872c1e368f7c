"""Made-up answers of `assay why`, for tests of what shows them."""

from fractions import Fraction

from msgspec.structs import replace

from assay.answers import AnswerHead, WhyAnswer, WhyQuestion
from assay.explained import Explained, Unanswered
from assay.machine_code import (
    CallSite,
    ExecutedLine,
    FunctionCode,
    InstructionRow,
    MachineCode,
    PairedDisassembly,
    Source,
    SourceLine,
)
from assay.record.store.answers import encode_answer
from assay.resources import Amount, Deltas, FunctionChange, Gauge, Memory, SpotChange, Syscalls
from assay.resources import ResourceSpot as Cause
from assay.stacks import Stacks
from assay.timed import ChangeInCallee, Instructions, MovedTime, TimeChange, Timed, TimeInterval
from assay.work import Attribution, ChangeReason, ExactWork, MovedCost, OwnChange, Place, Simulated

AT = Place("/home/me/src/wal.cpp", 88)


def own_change(name: str, amount: int, base: int = 1000, callee: str = "memmove") -> OwnChange:
    reason = ChangeReason("library", callee, AT, Fraction(amount), (Fraction(10), Fraction(20)))
    return OwnChange(name, Fraction(amount), base, base + amount, (reason,))


def exact_work(*changes: OwnChange, base: int = 100_000, stacks: Stacks | None = None) -> ExactWork:
    """Exact work of ten iterations."""
    whole = int(sum(one.amount for one in changes))
    loop = Attribution(10, base, base + whole, changes)
    return ExactWork(loop, Attribution(10, 5, 5, ()), changes, stacks=stacks)


def function_code(name: str, how: str = "changed", **more: object) -> FunctionCode:
    known = {
        "sizes": (200, 260),
        "instructions": (50, 61),
        "calls": (1, 2),
        "executed": (500, 700),
        **more,
    }
    return FunctionCode(name, how, **known)  # type: ignore[arg-type]


def line(text: str, count: int, address: int = 0x1000) -> ExecutedLine:
    return ExecutedLine(address, text, AT, count)


def disassembly(name: str, callee: str = "memmove") -> PairedDisassembly:
    """One instruction of each kind of difference, after many that are the same."""
    same = [
        InstructionRow("same", line("nop", 10, at), line("nop", 10, at + 8))
        for at in range(4096, 4136)
    ]
    return PairedDisassembly(
        name,
        (
            *same,
            InstructionRow("altered", line("mov rax, rdi", 10), line("mov rbx, rdi", 10)),
            InstructionRow("gone", line(f"jmp {callee}", 10), None),
            InstructionRow("new", None, line(f"call {callee}", 20)),
        ),
    )


def machine_code(name: str, text: str = "  memmove(to, from, size);") -> MachineCode:
    source = Source(
        AT.file,
        (
            (SourceLine(87, 87, "{", (0, 0)), SourceLine(0, 88, text, (0, 1900))),
            (SourceLine(91, 92, "}", (100, 100)),),
        ),
    )
    site = CallSite("memmove", 0x12A4, AT, 20)
    return MachineCode(
        10,
        (
            function_code(name, new_calls=(site,)),
            function_code("crc", "same", executed=(300, 300), moved=True),
        ),
        (disassembly(name),),
        (source,),
    )


def stacks(name: str = "Wal::append(char const*)") -> Stacks:
    return Stacks(
        {("bench",): 1000, ("bench", name): 60_000, ("bench", "crc"): 39_000},
        {("bench",): 1000, ("bench", name): 60_000, ("bench", name, "memmove"): 1900,
         ("bench", "crc"): 39_000},
    )  # fmt: skip


def explained(name: str = "BM_append", function: str = "Wal::append(char const*)") -> Explained:
    """An answer in which a function does 190 instructions an iteration more."""
    work = exact_work(own_change(function, 1900), stacks=stacks(function))
    return Explained(name, work, code=machine_code(function))


def everything(name: str = "BM_append", function: str = "Wal::append(char const*)") -> Explained:
    """An answer with a part for every stage, and with something in every part."""
    one = explained(name, function)
    assert one.work
    change = own_change(function, 1900)
    more = Attribution(10, 500, 900, (change,), (MovedCost("old", "new", 7, "renamed"),))
    work = replace(
        one.work,
        setup=more,
        told_setup=(change,),
        notes=("a note",),
        simulated=(Simulated("branches", 20, more, (change,)),),
    )
    return replace(
        one,
        work=work,
        time=_timed(function),
        memory=Memory(_deltas(function), _deltas(function), (GAUGE,), ("a note",)),
        syscalls=Syscalls(_deltas(function), "strace", (GAUGE,)),
        unanswered=(Unanswered("time", "too few rounds"),),
        caveats=("built with other flags",),
    )


GAUGE = Gauge("peak", (10.0, 10.5), (99.0, 99.5), True)


def _deltas(function: str) -> Deltas:
    spot = Cause("allocation", function, "operator new", AT, "caller")
    more = FunctionChange(
        function, Amount(10, 640), Amount(20, 1280), (SpotChange(spot, Amount(), Amount(10, 640)),)
    )
    rest = FunctionChange("", Amount(1, 1), Amount(2, 2), ())
    both = (more, rest)
    return Deltas(10, Amount(11, 641), Amount(22, 1282), both, both, (("old", "new"),))


def _timed(function: str) -> Timed:
    change = TimeChange(
        function,
        True,
        TimeInterval(1000, 900, 1100),
        TimeInterval(1500, 1400, 1600),
        TimeInterval(500, 400, 600),
        (ChangeInCallee("memmove", 300), ChangeInCallee("", 200)),
        Instructions(1000, 1000),
    )
    waiting = replace(change, function="[waiting]", change=TimeInterval(5, None, None))
    return Timed(
        *(30, 100_000, 100_500, TimeInterval(500, 400, 600), waiting, (change,), (change,)),
        *((MovedTime("old", "new", 7),), stacks(function), "cpu-clock", 0.05, ("a note",)),
    )


def answer(
    asked: WhyQuestion, when_s: float = 1.79e9, function: str = "Wal::append(char*)"
) -> WhyAnswer:
    """An answer as `assay why` keeps it."""
    head = AnswerHead(
        benchmark=asked.benchmark,
        base=asked.base,
        candidate=asked.candidate,
        targets=("git:old", "git:new"),
        said=f"1.9 % more instructions: `{function}` calls `memmove`",
        answered_s=when_s,
    )
    return WhyAnswer(head, everything(asked.benchmark, function))


def kept_answer(asked: WhyQuestion) -> bytes:
    """The content of its file in a store."""
    return encode_answer(answer(asked))
