"""What became of functions' code, in sentences."""

from collections.abc import Sequence

import pytest
from explanations import AT, function_code, machine_code
from msgspec.structs import replace
from records import HOSTILE

from assay.findings import Claim, StageName, WhyFinding
from assay.judge.attribution.code_findings import findings_on_code
from assay.machine_code import CallSite, DearInstruction, FunctionCode, HotLoop, MachineCode
from assay.show.words import why_code

GCC = "GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
CALL = CallSite("memmove", 0x12A4, AT, 20)


def of(*functions: FunctionCode) -> MachineCode:
    return MachineCode(10, functions)


def sentences(code: MachineCode, told: Sequence[str] = ()) -> list[str]:
    return [why_code.sentence(one) for one in findings_on_code(code, told, most=5).lines]


def first(one: FunctionCode) -> str:
    return sentences(of(one))[0]


def test_calls_and_instructions_are_counted_and_new_calls_placed() -> None:
    assert sentences(machine_code("Wal::append")) == [
        "`Wal::append` has 1 call and 11 instructions more (50 instructions before): "
        "`memmove` is called at 0x12a4, wal.cpp:88",
        "unchanged: 1 function, 30 % of what ran; 1 of them at another address (layout only)",
    ]


def test_more_of_one_and_fewer_of_the_other_are_two_things() -> None:
    one = function_code("f", calls=(2, 1), instructions=(50, 52), gone_calls=(CALL,))
    assert first(one) == (
        "`f` has 2 instructions more, 1 call fewer (50 instructions before): "
        "`memmove` was called at 0x12a4, wal.cpp:88"
    )


def test_as_many_instructions_but_others() -> None:
    one = function_code("f", calls=(1, 1), instructions=(50, 50), replaced=3)
    assert first(one) == "`f` has 3 other instructions, and as many as before, 50"


def test_many_calls_are_counted() -> None:
    one = function_code("f", new_calls=(CALL,) * 9)
    assert first(one).endswith("wal.cpp:88, 6 more such calls")


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("inlined", "`f` is inlined into `g` now"),
        ("split off", "`f` was part of `g` before"),
        ("unused", "`f` does not run in the candidate, which has it"),
        ("first used", "`f` did not run in the base, which has it"),
        ("renamed", "`f` was `g` in the base: the same code"),
        ("gone", "`f` is in the base only: no function that ran in the candidate has its code"),
        ("new", "`f` is in the candidate only: no function that ran in the base had its code"),
    ],
)
def test_what_became_of_functions_of_one_side(kind: str, said: str) -> None:
    assert first(function_code("f", kind, other="g")) == said


def test_a_renamed_function_that_changed_says_how_alike_it_is() -> None:
    one = function_code("f", "renamed", other="g", likeness=0.913)
    assert first(one) == "`f` was `g` in the base: 91 % of the code is the same"


def test_all_the_same_is_one_sentence() -> None:
    same = function_code("f", "same")
    assert sentences(of(same)) == ["the same in the 1 function that ran"]
    moved = of(same, replace(same, name="g", moved=True))
    assert why_code.head(findings_on_code(moved, (), most=5).head) == (
        "the same in the 2 functions that ran; 1 of them at another address (layout only)"
    )


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("gone", "only in the base"),
        ("new", "only in the candidate"),
        ("unused", "not called now"),
        ("same, moved", "same, moved"),
        ("", ""),
    ],
)
def test_a_table_says_in_a_word_how_code_differs(how: str, said: str) -> None:
    assert (
        why_code.difference_in_words(WhyFinding(StageName.WORK, Claim.FUNCTION, "f", how=how))
        == said
    )


def test_a_function_that_does_more_with_the_same_code_is_said_to() -> None:
    code = of(function_code("f", "same"), function_code("g"))
    assert (
        "`f` has the same code as before: what it is given differs, or how often it is called"
    ) in sentences(code, ["f", "g"])


def test_two_compilers_are_named_and_calls_not_listed() -> None:
    code = replace(machine_code("f"), compilers=(GCC, "Debian clang version 14.0.6"))
    lines = sentences(code)
    assert lines[0].startswith(
        "built by different compilers, GCC 12.2.0 and Debian clang version 14.0.6: "
    )
    assert lines[1] == "`f` has 1 call and 11 instructions more (50 instructions before)"


def test_a_compiler_of_a_long_name_loses_its_middle() -> None:
    code = replace(machine_code("f"), compilers=(GCC, "c" * 61))
    assert sentences(code)[0] == (
        f"built by different compilers, GCC 12.2.0 and {'c' * 29}…{'c' * 30}: code differs "
        "everywhere, and only functions of the same name are compared"
    )


def test_a_file_may_be_called_as_a_sentence_is() -> None:
    site = replace(CALL, place=AT._replace(file="look at me.cpp"))
    one = function_code("f", new_calls=(site,))
    assert first(one).endswith("`memmove` is called at 0x12a4, look at me.cpp:88")


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("locked", "a locked instruction (atomic)"),
        ("divide", "a division or a root"),
        ("gather", "a gather, a load from many places"),
        ("serialising", "an instruction that waits for all before it"),
        ("reloaded", "a load of more bytes than were just stored there"),
    ],
)
def test_dear_instructions_are_named(kind: str, said: str) -> None:
    one = DearInstruction("f", kind, "text", AT, 10)
    assert sentences(MachineCode(10, (), dear=(one,))) == [
        f"`f` now executes {said} at wal.cpp:88, once an iteration more: `text` takes far longer "
        "than others"
    ]


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (1, "0.1 times"),
        (10, "once"),
        (20, "2 times"),
        (9_994, "999 times"),
        (9_996, "1,000 times"),
        (10_000, "1,000 times"),
        (12_345, "1,234 times"),
    ],
)
def test_how_often_a_dear_instruction_is_executed(times: int, said: str) -> None:
    one = DearInstruction("f", "divide", "text", AT, times)
    (line,) = sentences(MachineCode(10, (), dear=(one,)))
    assert f"wal.cpp:88, {said} an iteration more" in line


def test_dear_instructions_of_other_functions_are_counted() -> None:
    dear = [DearInstruction(f"f{n}", "divide", "text", AT, 10) for n in range(7)]
    last = [sentences(MachineCode(10, (), dear=tuple(dear[:n])))[-1] for n in (6, 7)]
    assert last == [
        "1 other function now executes such instructions",
        "2 other functions now execute such instructions",
    ]


def test_a_loop_that_lies_in_more_lines_of_the_cache_is_told() -> None:
    loops = (HotLoop(46, 1, 2), HotLoop(46, 2, 2))
    assert sentences(of(function_code("walk", "same", moved=True, loops=loops))) == [
        "the same in the 1 function that ran; 1 of them at another address (layout only); the "
        "hottest loop of `walk` (46 bytes) lies in 2 lines of 64 bytes, 1 before"
    ]


def test_one_compiler_or_an_unknown_one_is_not_mentioned() -> None:
    for compilers in ((GCC, GCC), (GCC, ""), ("", "")):
        lines = sentences(replace(machine_code("f"), compilers=compilers))
        assert not [line for line in lines if "compiler" in line]


def test_only_the_first_changed_functions_are_told() -> None:
    lines = sentences(of(*(function_code(f"f{i}") for i in range(9))))
    assert lines[5:] == [
        "4 other functions that ran changed as well",
        "no function that ran is unchanged",
    ]


def test_hostile_names_are_one_line_of_letters() -> None:
    site = replace(CALL, callee=HOSTILE[3], place=AT._replace(file=HOSTILE[5]))
    for name in HOSTILE:
        one = function_code(name, other=name, new_calls=(site,))
        for kind in ("changed", "inlined", "gone"):
            line = first(replace(one, how=kind))
            assert line.isprintable()
            assert len(line) < 700
