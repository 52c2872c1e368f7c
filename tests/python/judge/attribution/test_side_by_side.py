"""Two disassemblies, line beside line: what is equal, what has other registers, what is new."""

from assay.judge.attribution.side_by_side import align_instructions, diff_opcodes
from assay.machine_code import Instruction


def code(text: str) -> tuple[Instruction, ...]:
    words = [one.strip() for one in text.split(";")]
    return tuple(
        Instruction(4 * place, word, word, inside=word.startswith("j"))
        for place, word in enumerate(words)
    )


def test_lines_of_a_disassembly_stand_beside_their_likes() -> None:
    base = code("push rbx; mov rax, rdi; jb +4; add rax, 1; ret")
    candidate = code("push rbx; mov rcx, rdi; jb +5; call memcpy; add rax, 1; ret")
    assert align_instructions(base, candidate) == [
        ("same", 0, 0),
        ("altered", 1, 1),
        ("altered", 2, 2),
        ("new", None, 3),
        ("same", 3, 4),
        ("same", 4, 5),
    ]
    assert align_instructions(candidate, base) == [
        ("same", 0, 0),
        ("altered", 1, 1),
        ("altered", 2, 2),
        ("gone", 3, None),
        ("same", 4, 3),
        ("same", 5, 4),
    ]


def test_of_a_jump_only_what_it_asks_is_compared() -> None:
    assert align_instructions(code("jb +4"), code("jb +9")) == [("altered", 0, 0)]
    assert align_instructions(code("jb +4"), code("jb +4")) == [("same", 0, 0)]
    assert align_instructions(code("jb +4"), code("ja +4")) == [("gone", 0, None), ("new", None, 0)]


def test_nothing_and_other_code_stand_alone() -> None:
    assert align_instructions((), ()) == []
    assert align_instructions(code("ret"), ()) == [("gone", 0, None)]
    assert align_instructions(code("inc eax; ret"), code("dec eax; ret")) == [
        ("gone", 0, None),
        ("new", None, 0),
        ("same", 1, 1),
    ]


def test_frequent_words_are_left_out_only_where_there_are_too_many() -> None:
    """200 times the same word on both sides make 40,000 pairs, which difflib still compares."""
    words = ["nop"] * 200
    assert diff_opcodes(["a", *words], ["b", *words]) == [
        ("replace", 0, 1, 0, 1),
        ("equal", 1, 201, 1, 201),
    ]
    assert diff_opcodes(["a", *words], ["b", *words, "nop"]) == [("replace", 0, 201, 0, 202)]
    with_one_pair_more = diff_opcodes(["x", *words], [*words, "x"])
    assert ("equal", 0, 1, 200, 201) in with_one_pair_more


def test_long_code_of_the_same_instruction_is_lined_up_before_long() -> None:
    """It took more than a minute."""
    base = code("; ".join(["mov rax, rbx"] * 2000))
    candidate = code("; ".join(["mov rax, rbx", "add rax, 1"] * 1000))
    lines = align_instructions(base, candidate)
    assert sorted(i for _, i, _ in lines if i is not None) == list(range(2000))
    assert sorted(j for *_, j in lines if j is not None) == list(range(2000))
