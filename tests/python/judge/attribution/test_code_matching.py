"""Which machine code is which of the other build, and what became of it."""

from assay.judge.attribution.code_matching import likeness, paired_functions, without_registers
from assay.judge.attribution.side_by_side import aligned
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


def test_lines_of_a_disassembly_stand_beside_their_likes() -> None:
    base = code("push rbx; mov rax, rdi; jb +4; add rax, 1; ret")
    candidate = code("push rbx; mov rcx, rdi; jb +5; call memcpy; add rax, 1; ret")
    assert aligned(base, candidate) == [
        ("same", 0, 0),
        ("altered", 1, 1),
        ("altered", 2, 2),
        ("new", None, 3),
        ("same", 3, 4),
        ("same", 4, 5),
    ]
    assert [how for how, *_ in aligned(candidate, base)].count("gone") == 1


def test_long_code_of_the_same_instruction_is_lined_up_before_long() -> None:
    """It took more than a minute."""
    base = code("; ".join(["mov rax, rbx"] * 2000))
    candidate = code("; ".join(["mov rax, rbx", "add rax, 1"] * 1000))
    lines = aligned(base, candidate)
    assert sorted(i for _, i, _ in lines if i is not None) == list(range(2000))
    assert sorted(j for *_, j in lines if j is not None) == list(range(2000))
