"""Made-up answers of `assay why`, for tests of what is shown."""

from fractions import Fraction

from assay.explained import Explained
from assay.machine_code import (
    CallSite,
    Executed,
    FunctionCode,
    MachineCode,
    Row,
    SideBySide,
    Source,
    SourceLine,
)
from assay.stacks import Stacks
from assay.work import Attribution, ExactWork, OwnChange, Place, Why

AT = Place("/home/me/src/wal.cpp", 88)


def own_change(name: str, amount: int, base: int = 1000, callee: str = "memmove") -> OwnChange:
    reason = Why("library", callee, AT, Fraction(amount), (Fraction(10), Fraction(20)))
    return OwnChange(name, Fraction(amount), base, base + amount, (reason,))


def exact_work(*changes: OwnChange, base: int = 100_000, stacks: Stacks | None = None) -> ExactWork:
    """Of ten iterations."""
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


def line(text: str, count: int, address: int = 0x1000) -> Executed:
    return Executed(address, text, AT, count)


def disassembly(name: str, callee: str = "memmove") -> SideBySide:
    """One instruction of each kind, after many that are the same."""
    same = [Row("same", line("nop", 10, at), line("nop", 10, at + 8)) for at in range(4096, 4136)]
    return SideBySide(
        name,
        (
            *same,
            Row("altered", line("mov rax, rdi", 10), line("mov rbx, rdi", 10)),
            Row("gone", line(f"jmp {callee}", 10), None),
            Row("new", None, line(f"call {callee}", 20)),
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
    """A function that does 190 instructions an iteration more, and all that is known of it."""
    work = exact_work(own_change(function, 1900), stacks=stacks(function))
    return Explained(name, work, code=machine_code(function))
