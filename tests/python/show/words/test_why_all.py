"""Which functions an answer of `assay why` names in every stage, and how many it leaves out."""

from fractions import Fraction

import pytest
from explanations import AT, function_code

from assay.explained import Explained
from assay.judge.attribution.findings import findings
from assay.machine_code import DearInstruction, MachineCode
from assay.resources import Amount, Deltas, FunctionChange, Memory, Syscalls
from assay.show.page.why_parts import parts
from assay.show.terminal.why import print_why
from assay.work import Attribution, ExactWork, OwnChange, Simulated

COUNT = 7
NOTHING = Attribution(10, 0, 0, ())
KINDS = ("alloc", "alloc_moved", "call", "call_moved", "code", "dear", "missed", "counted")


def names(kind: str) -> list[str]:
    return [f"{kind}_{number}" for number in range(COUNT)]


def deltas(kind: str) -> Deltas:
    told = tuple(FunctionChange(name, Amount(), Amount(100, 800), ()) for name in names(kind))
    moved = tuple((f"old_{name}", name) for name in names(f"{kind}_moved"))
    return Deltas(100, Amount(), Amount(100 * COUNT, 800 * COUNT), told, told, moved)


def many() -> Explained:
    """An answer with more functions of every kind than are named unless all are asked for."""
    missed = tuple(OwnChange(name, Fraction(90), 9, 99, ()) for name in names("missed"))
    counted = tuple(OwnChange(name, Fraction(90), 9, 99, ()) for name in names("counted"))
    simulated = Simulated("first", 10, Attribution(10, 90, 720, missed), missed)
    work = ExactWork(Attribution(10, 90, 720, counted), NOTHING, counted, simulated=(simulated,))
    dear = tuple(DearInstruction(name, "locked", "lock add", AT, 9) for name in names("dear"))
    code = MachineCode(10, tuple(function_code(name) for name in names("code")), dear=dear)
    memory = Memory(deltas("alloc"), Deltas(100, Amount(), Amount(), ()))
    syscalls = Syscalls(deltas("call"), "strace")
    return Explained("BM_append", work, memory=memory, syscalls=syscalls, code=code)


def text(capsys: pytest.CaptureFixture[str], *, everything: bool) -> str:
    found = findings(many(), everything=everything)
    print_why([found], only=((), ()), failures=(), unavailable=(), interrupted=False)
    return capsys.readouterr().out


def page(*, everything: bool) -> str:
    found = findings(many(), everything=everything)
    sections = parts(found, 0)["sections"]
    return "\n".join(line for part in sections for line in (*part["numbered"], *part["lines"]))


@pytest.mark.parametrize("kind", KINDS)
def test_all_means_every_function_of_every_stage(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for shown in (text(capsys, everything=True), page(everything=True)):
        for name in names(kind):
            assert f"`{name}`" in shown


@pytest.mark.parametrize("kind", KINDS)
def test_else_five_of_each_kind_are_named(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    for shown in (text(capsys, everything=False), page(everything=False)):
        named = [name for name in names(kind) if f"`{name}`" in shown]
        assert named == names(kind)[:5]


def test_whoever_is_not_named_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    shown = text(capsys, everything=False)
    for said in (
        "  2 others and all smaller ones together: 18 more instructions",
        "simulated: in 2 other functions together, it misses the first cache 18 more times",
        "  2 others and all smaller ones together: 2 more times an iteration, +16 B",
        "  2 more functions that only have another name than before",
        "code: 2 other functions now execute such instructions",
        "code: 2 other functions that ran changed as well",
    ):
        assert said in shown
