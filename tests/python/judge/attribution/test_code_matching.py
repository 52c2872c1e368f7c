"""Which machine code is which of the other build, and what became of it."""

from assay.judge.attribution.code_matching import (
    likeness,
    paired_functions,
    renamed_symbols,
    without_registers,
)
from assay.machine_code import Body, Instruction

APPEND = (
    "push rbx; mov rbx, rdi; cmp rsi, 8; jb +4; call grow; mov [rbx], rsi; pop rbx; inc rax; ret"
)
CRC = (
    "xor eax, edi; mov edx, eax; shr eax, 1; and edx, 1; neg edx; and edx, 0xedb88320; "
    "xor eax, edx; ret"
)
ZOOM = (
    "mulsd xmm0, xmm1; addsd xmm0, xmm2; sqrtsd xmm0, xmm0; divsd xmm0, xmm3; "
    "cvttsd2si eax, xmm0; sub eax, 1; imul eax, eax; ret"
)


def code(text: str, at: int = 0x1000) -> tuple[Instruction, ...]:
    """Instructions of a text, four bytes each."""
    words = [one.strip() for one in text.split(";")]
    return tuple(
        Instruction(
            at + 4 * place,
            word,
            word,
            word.removeprefix("call ") if word.startswith("call ") else "",
            word.startswith("j"),
        )
        for place, word in enumerate(words)
    )


def body(name: str, text: str, at: int = 0x1000, executed: int = 100) -> Body:
    made = code(text, at)
    return Body(name, f"_Z{name}", "bench", at, 4 * len(made), made, executed)


def told(base: list[Body], candidate: list[Body], **more: bool) -> dict[str, tuple[str, str]]:
    return {
        one.body.name: (one.how, one.other) for one in paired_functions(base, candidate, {}, **more)
    }


def test_the_same_code_elsewhere_is_the_same() -> None:
    assert told([body("append", APPEND)], [body("append", APPEND, 0x9000)]) == {
        "append": ("same", "")
    }


def test_one_other_constant_is_a_change() -> None:
    found = paired_functions(
        [body("append", APPEND)], [body("append", APPEND.replace("8", "16"))], {}
    )
    assert [one.how for one in found] == ["changed"]
    assert 0.4 < found[0].likeness < 1


def test_the_same_code_by_another_name_was_renamed() -> None:
    base = [body("crc32", CRC), body("zoom", ZOOM)]
    candidate = [body("checksum", CRC.replace("edx", "ecx")), body("zoom", ZOOM)]
    assert told(base, candidate) == {"checksum": ("renamed", "crc32"), "zoom": ("same", "")}


def test_who_calls_a_renamed_function_is_unchanged() -> None:
    base = [body("append", APPEND.replace("grow", "_Zold")), body("old", CRC)]
    candidate = [body("append", APPEND.replace("grow", "_Znew")), body("new", CRC)]
    assert told(base, candidate) == {"append": ("same", ""), "new": ("renamed", "old")}


def test_other_code_by_another_name_is_another_function() -> None:
    assert told([body("crc32", CRC)], [body("zoom", ZOOM)]) == {
        "crc32": ("gone", ""),
        "zoom": ("new", ""),
    }


def test_a_short_function_is_not_recognised_by_its_code() -> None:
    assert told([body("one", "mov eax, 1; ret")], [body("two", "mov eax, 1; ret")]) == {
        "one": ("gone", ""),
        "two": ("new", ""),
    }


def test_two_compilers_make_like_code_of_different_functions() -> None:
    base, candidate = [body("crc32", CRC)], [body("checksum", CRC)]
    assert told(base, candidate, same_compiler=False) == {
        "crc32": ("gone", ""),
        "checksum": ("new", ""),
    }


def test_code_that_another_function_gained_was_inlined() -> None:
    crc = CRC.removesuffix("; ret")
    whole = APPEND.replace("call grow", crc.replace("eax", "r8d").replace("edx", "r9d"))
    base = [body("append", APPEND), body("crc32", CRC)]
    assert told(base, [body("append", whole)]) == {
        "append": ("changed", ""),
        "crc32": ("inlined", "append"),
    }
    assert told([body("append", whole)], base) == {
        "append": ("changed", ""),
        "crc32": ("split off", "append"),
    }


def test_of_several_functions_of_one_name_the_most_alike_belong_together() -> None:
    base = [body("f", CRC, 0x1000), body("f", ZOOM, 0x2000)]
    candidate = [body("f", ZOOM, 0x3000), body("f", CRC, 0x4000)]
    found = paired_functions(base, candidate, {})
    assert [one.how for one in found] == ["same", "same"]


def test_a_rename_known_otherwise_is_taken_over() -> None:
    found = paired_functions([body("old", CRC)], [body("new", ZOOM)], {"new": "old"})
    assert [(one.how, one.other) for one in found] == [("renamed", "old")]


def test_likeness_is_one_of_the_same_and_nothing_of_what_shares_nothing() -> None:
    assert likeness(code(CRC), code(CRC.replace("edx", "ecx"))) == 1
    assert likeness(code(CRC), code(ZOOM)) == 0


def test_registers_and_offsets_are_left_out_but_not_numbers() -> None:
    assert without_registers("mov rax, qword ptr [rsp + 0x10]") == without_registers(
        "mov r9, qword ptr [rbp + 0x28]"
    )
    assert without_registers("movaps xmm0, xmm1") == without_registers("movaps xmm7, xmm2")
    assert without_registers("shl eax, 2") != without_registers("shl eax, 3")


def words(*numbers: int) -> str:
    """Code in which all sequences of three instructions are different ones."""
    return "; ".join(f"op{number} 1" for number in numbers)


def test_likeness_is_the_share_of_sequences_of_three_in_common() -> None:
    """Of 8 and 8 sequences 6 are the same: 2 * 6 / 16 (Dice)."""
    assert likeness(code(words(*range(10))), code(words(*range(2, 12)))) == 0.75
    assert likeness(code("ret"), code("ret")) == 1
    assert likeness(code("inc eax; ret"), code("ret")) == 0
    assert likeness((), ()) == 1
    assert likeness(code("jb +4; jb +4; ret"), code("jb +9; jb +7; ret")) == 1


def test_four_fifths_of_the_code_are_the_same_function_by_another_name() -> None:
    """Of 10 and 10 sequences 8 are the same, or 7."""
    base = body("old", words(*range(12)))
    assert told([base], [body("new", words(*range(2, 14)))]) == {"new": ("renamed", "old")}
    assert told([base], [body("new", words(*range(3, 15)))]) == {
        "old": ("inlined", "new"),
        "new": ("new", ""),
    }


def test_a_function_of_eight_instructions_is_recognised_and_one_of_seven_is_not() -> None:
    eight, seven = words(*range(8)), words(*range(7))
    assert told([body("old", eight)], [body("new", eight)]) == {"new": ("renamed", "old")}
    assert told([body("old", seven)], [body("new", seven)]) == {
        "old": ("gone", ""),
        "new": ("new", ""),
    }


def test_the_sixty_functions_that_do_most_are_recognised_by_their_code() -> None:
    def side(name: str, places: range) -> list[Body]:
        return [body(f"{name}{n}", words(*range(50 * n, 50 * n + 9)), executed=n) for n in places]

    found = told(side("old", range(1, 62)), side("new", range(1, 62)))
    assert found["new2"] == ("renamed", "old2")
    assert found["new1"] == ("new", "")


def test_half_of_its_code_is_enough_to_be_called_inlined() -> None:
    """`small` has eight sequences; `large` gains four of them, or three."""
    large, small = body("large", words(*range(100, 120))), body("small", words(*range(10)))

    def gaining(count: int) -> dict[str, tuple[str, str]]:
        gained = words(*range(100, 120), *range(count + 2))
        return told([large, small], [body("large", gained)])

    assert gaining(4)["small"] == ("inlined", "large")
    assert gaining(3)["small"] == ("gone", "")


def test_code_of_two_functions_is_in_a_new_one() -> None:
    base = [body("one", words(*range(10))), body("two", words(*range(20, 30)))]
    both = body("both", words(*range(10), *range(20, 30)))
    assert told(base, [both]) == {
        "both": ("new", ""),
        "one": ("inlined", "both"),
        "two": ("inlined", "both"),
    }


def test_of_several_functions_the_one_with_most_of_the_code_is_named() -> None:
    small = body("small", words(*range(10)))
    base = [small, body("a", words(*range(100, 120))), body("b", words(*range(200, 220)))]
    candidate = [
        body("a", words(*range(100, 120), *range(7))),
        body("b", words(*range(200, 220), *range(9))),
    ]
    assert told(base, candidate)["small"] == ("inlined", "b")


def test_what_was_renamed_is_told_by_its_symbol() -> None:
    pairs = paired_functions(
        [body("old", CRC), body("f", ZOOM), body("gone", APPEND)],
        [body("new", CRC), body("f", ZOOM)],
        {},
    )
    assert renamed_symbols(pairs) == {"_Znew": "_Zold"}


def test_who_calls_another_function_now_is_changed() -> None:
    base = [body("append", APPEND.replace("grow", "_Zold")), body("old", CRC)]
    candidate = [body("append", APPEND.replace("grow", "_Zother")), body("new", CRC)]
    assert told(base, candidate)["append"] == ("changed", "")


def test_of_three_with_one_name_each_finds_its_own() -> None:
    base = [body("f", words(*range(n, n + 9)), n) for n in (100, 200, 300)]
    candidate = [body("f", words(*range(n, n + 8)), n) for n in (300, 100, 200)]
    found = paired_functions(base, candidate, {})
    assert [one.base.address for one in found if one.base] == [300, 100, 200]
    assert {one.how for one in found} == {"changed"}
