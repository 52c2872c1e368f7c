"""What is worth saying of machine code: how many functions, calls and loops, and in which order."""

from explanations import AT, function_code

from assay.findings import ELSEWHERE, Claim, WhyFinding
from assay.judge.attribution.code_findings import of_code
from assay.machine_code import CallSite, DearInstruction, FunctionCode, HotLoop, MachineCode

SITE = CallSite("memmove", 0x12A4, AT, 20)


def lines(
    *functions: FunctionCode, dear: int = 0, told: tuple[str, ...] = (), most: int | None = 5
) -> list[WhyFinding]:
    ones = tuple(DearInstruction(f"d{n}", "locked", "lock add", AT, 9) for n in range(dear))
    return list(of_code(MachineCode(10, functions, dear=ones), told, most=most).lines)


def test_of_each_kind_five_functions_are_named_and_the_others_counted() -> None:
    changed = [function_code(f"f{n}") for n in range(7)]
    *named, rest, last = lines(*changed, dear=6)
    assert [one.claim for one in named] == [Claim.DEAR] * 6 + [Claim.CODE] * 5
    assert [one.others for one in named[:6]] == [0, 0, 0, 0, 0, 1]
    assert (rest.claim, rest.others, last.claim) == (Claim.REST, 2, Claim.UNCHANGED)
    assert Claim.REST not in [one.claim for one in lines(*changed[:5])]


def test_three_new_calls_and_three_gone_ones_are_named() -> None:
    one = function_code("f", new_calls=(SITE,) * 4, gone_calls=(SITE,) * 3)
    first, _ = lines(one)
    assert [site.kind for site in first.causes] == ["new"] * 3 + [ELSEWHERE] + ["gone"] * 3
    two = MachineCode(10, (one,), compilers=("GCC 12", "clang 14"))
    _, first, _ = of_code(two, (), most=5).lines
    assert first.causes == ()


def test_the_same_code_of_a_function_that_does_more_is_said() -> None:
    found = lines(function_code("f", "same"), function_code("g"), told=("f", "g", "h"))
    assert [(one.claim, one.subject) for one in found] == [
        (Claim.CODE, "g"),
        (Claim.SAME, "f"),
        (Claim.UNCHANGED, ""),
    ]


def test_two_loops_that_lie_otherwise_are_told_the_hottest_first() -> None:
    def same(name: str, executed: int, lines: int, windows: int) -> FunctionCode:
        loops = (HotLoop(46, 1, 1), HotLoop(46, lines, windows))
        return function_code(name, "same", executed=(executed, executed), loops=loops)

    functions = same("a", 1, 2, 2), same("b", 9, 1, 1), same("c", 5, 1, 2), same("d", 7, 2, 1)
    (one,) = lines(*functions)
    assert [(loop.callee, loop.amounts[1].unit) for loop in one.causes] == [
        ("d", "line of 64 bytes"),
        ("c", "window of 32 bytes"),
    ]


def test_what_is_unchanged_is_a_share_of_what_ran() -> None:
    same, other = function_code("f", "same", executed=(1, 30)), function_code("g", executed=(1, 90))
    assert lines(same, other)[-1].share == 0.25
    assert lines(function_code("f", "same", executed=(0, 0)))[-1].share is None
    assert lines() == []
