"""What is worth saying of machine code: how many functions, calls and loops, and in which order."""

from explanations import AT, function_code

from assay.findings import ELSEWHERE, Cause, Claim, Difference, StageName, WhyFinding
from assay.judge.attribution.code_findings import findings_on_code
from assay.machine_code import CallSite, DearInstruction, FunctionCode, HotLoop, MachineCode

SITE = CallSite("memmove", 0x12A4, AT, 20)


def lines(
    *functions: FunctionCode, dear: int = 0, told: tuple[str, ...] = (), most: int | None = 5
) -> list[WhyFinding]:
    ones = tuple(DearInstruction(f"d{n}", "locked", "lock add", AT, 9) for n in range(dear))
    return list(findings_on_code(MachineCode(10, functions, dear=ones), told, most=most).lines)


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
    _, first, _ = findings_on_code(two, (), most=5).lines
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


def test_how_a_functions_code_differs() -> None:
    one = function_code(
        "f", "renamed", instructions=(50, 61), calls=(1, 3), replaced=9, other="g", likeness=0.75,
        new_calls=(SITE,),
    )  # fmt: skip
    first, _ = lines(one)
    assert first == WhyFinding(
        StageName.CODE,
        Claim.CODE,
        "f",
        (
            Difference("call", 1, 2),
            Difference("instruction", 50, 11),
            Difference("other instruction", 0, 9),
        ),
        (),  # which calls are new is told of code that changed, not of another name
        other="g",
        how="renamed",
        share=0.75,
    )


def test_a_new_call_is_told_with_its_place_and_further_ones_with_their_number() -> None:
    first, _ = lines(function_code("f", new_calls=(SITE,) * 5))
    assert first.causes[0] == Cause("new", "memmove", AT, address=0x12A4)
    assert first.causes[-1] == Cause(ELSEWHERE, amounts=(Difference("call", 0, 2),))


def test_what_is_dear_is_told_with_how_often_it_is_executed_now() -> None:
    first, second = lines(dear=2, most=1)
    assert first == WhyFinding(
        StageName.CODE,
        Claim.DEAR,
        "d0",
        (Difference("time", 0, 9, 10),),
        (Cause("locked", "lock add", AT),),
    )
    assert (second.claim, second.subject, second.others) == (Claim.DEAR, "", 1)


def test_another_compiler_is_told_first() -> None:
    both = MachineCode(10, (function_code("f", "same"),), compilers=("GCC 12", "clang 14"))
    first, _ = findings_on_code(both, (), most=5).lines
    assert first == WhyFinding(StageName.CODE, Claim.COMPILERS, "GCC 12", other="clang 14")
    again = MachineCode(10, (function_code("f", "same"),), compilers=("GCC 12", "GCC 12"))
    assert len(findings_on_code(again, (), most=5).lines) == 1


def test_the_whole_is_how_many_functions_changed_or_that_none_did() -> None:
    same = function_code("f", "same", moved=True, executed=(7, 30))
    code = MachineCode(10, (same, function_code("g"), function_code("h", "same", executed=(9, 0))))
    head = findings_on_code(code, (), most=5).head
    assert (head.claim, head.amounts) == (Claim.DIFFERS, (Difference("function", 3, 1),))
    (unchanged,) = (
        one for one in findings_on_code(code, (), most=5).lines if one.claim is Claim.UNCHANGED
    )
    assert unchanged.amounts == (
        Difference("function", 3, 2),
        Difference("moved function", 0, 1),
    )
    assert findings_on_code(MachineCode(10, (same,)), (), most=5).head.claim is Claim.UNCHANGED


def test_a_loop_that_lies_otherwise_is_told_with_both_sizes() -> None:
    def told(base: HotLoop, candidate: HotLoop) -> tuple[Difference, ...]:
        (one,) = lines(function_code("f", "same", loops=(base, candidate)))
        return one.causes[0].amounts if one.causes else ()

    assert told(HotLoop(46, 1, 2), HotLoop(49, 3, 2)) == (
        Difference("byte", 46, 3),
        Difference("line of 64 bytes", 1, 2),
    )
    assert told(HotLoop(46, 1, 2), HotLoop(46, 1, 3))[1] == Difference("window of 32 bytes", 2, 1)
    assert told(HotLoop(46, 1, 2), HotLoop(49, 1, 2)) == ()
