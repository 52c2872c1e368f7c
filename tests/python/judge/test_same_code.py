"""When both sides are said to execute the same code on the same data, and what is said when not."""

from typing import Any

import msgspec
import pytest

from assay.judge.same_code import compare_footprints
from assay.same_code import Chunk, Footprint, LoopCounts, SameCode

ONE = Footprint(
    code=(Chunk("a", "a1", "find"), Chunk("b", "b1", "hash")),
    data=(Chunk("c", "c1", "table"),),
    loops={"1": LoopCounts("x", 9), "10": LoopCounts("y", 90), "73": LoopCounts("z", 657)},
    iterations=84,
    libraries={"libc.so.6": "l"},
    inputs=(("words.txt", "w"),),
    neighbours=("beside",),
    sizes={"beside": (8,), "other": (4,)},
)


def other(**changes: Any) -> Footprint:
    return msgspec.structs.replace(ONE, **changes)


def test_equal_footprints_are_the_same_code() -> None:
    assert compare_footprints(ONE, other(), 84) == SameCode(True, "same machine code")


def test_the_order_of_parts_and_their_names_make_no_difference() -> None:
    renamed = other(code=(Chunk("b", "b1", "mix"), Chunk("a", "a1", "lookup")))
    assert compare_footprints(ONE, renamed, 84).same


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"code": (Chunk("A", "A1", "find"), Chunk("b", "b1", "hash"))},
            "find is not the same code",
        ),
        ({"code": (*ONE.code, Chunk("d", "d1", "check"))}, "check is not the same code"),
        ({"code": (*ONE.code, *ONE.code[:1])}, "find is not the same code"),
        ({"data": (Chunk("C", "C1", "table"),)}, "table is not the same data"),
        ({"data": (Chunk("C", "C1", ""),)}, "table is not the same data"),
        (
            {"code": (Chunk("A", "a1", "find"), Chunk("b", "b1", "hash"))},
            "the same code refers to other code or data",
        ),
        ({"libraries": {"libc.so.6": "L"}}, "libc.so.6 is not the same library"),
        ({"inputs": (("words.txt", "W"),)}, "it opens words.txt, which is not the same file"),
        ({"inputs": ()}, "it opens words.txt, which is not the same file"),
        ({"sizes": {"beside": (48,), "other": (4,)}}, "beside has another size"),
        ({"sizes": {"other": (4,)}}, "beside has another size"),
        (
            {"loops": {"1": LoopCounts("x", 9), "10": LoopCounts("Y", 91)}},
            "another number of times",
        ),
        ({"loops": {"2": LoopCounts("x", 9)}}, "no loop of as many iterations"),
        ({"loops": {}}, "nothing of the candidate was executed"),
        ({"code": ()}, "nothing of the candidate was executed"),
        ({"refused": "it is stripped"}, "not compared: the candidate: it is stripped"),
        ({"iterations": 80}, "80 iterations were traced"),
    ],
)
def test_whatever_differs_is_told(changes: dict[str, Any], said: str) -> None:
    found = compare_footprints(ONE, other(**changes), 84)
    assert not found.same
    assert said in found.why


def test_loops_are_compared_at_the_largest_number_that_both_did() -> None:
    later = other(
        loops={"1": LoopCounts("x", 9), "10": LoopCounts("y", 90), "74": LoopCounts("q", 1)}
    )
    assert compare_footprints(ONE, later, 84).same


def test_what_only_other_code_uses_may_have_another_size() -> None:
    assert compare_footprints(ONE, other(sizes={"beside": (8,), "other": (400,)}), 84).same


def test_many_names_are_not_all_told() -> None:
    many = tuple(Chunk(f"n{i}", f"n{i}", f"f{i}") for i in range(9))
    said = compare_footprints(ONE, other(code=(*ONE.code, *many)), 84).why
    assert said == "f0, f1, f2 and 6 more is not the same code"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"code": tuple(Chunk(f"n{i}", f"n{i}", f"f{i}") for i in range(1))},
            "f0, find, hash is not the same code",
        ),
        (
            {"code": (Chunk("A", "A1", ""), Chunk("b", "b1", "hash"), Chunk("a", "a1", "find"))},
            "something without a name is not the same code",
        ),
        (
            {"code": (Chunk("A", "a1", "find"), Chunk("b", "b1", "hash"))},
            "the same code refers to other code or data",
        ),
        (
            {"sizes": {"beside": (48,)}},
            "beside has another size, in a cache line with data of the loop",
        ),
        (
            {"loops": {"1": LoopCounts("x", 9), "10": LoopCounts("Y", 90)}},
            "the same code is executed another number of times",
        ),
        (
            {"loops": {"2": LoopCounts("x", 9)}},
            "not compared: no loop of as many iterations was traced on both sides",
        ),
        ({"loops": {}}, "not compared: nothing of the candidate was executed"),
        (
            {"iterations": 83},
            "not compared: 83 iterations were traced, and a launch does 84",
        ),
        ({"libraries": {"libc.so.6": "l", "libb.so": "b", "liba.so": "a"}},
         "liba.so is not the same library"),
        ({"inputs": (("words.txt", "w"), ("more.txt", "m"))},
         "it opens more.txt, which is not the same file"),
    ],
)  # fmt: skip
def test_the_whole_sentence(changes: dict[str, Any], said: str) -> None:
    assert compare_footprints(ONE, other(**changes), 84) == SameCode(False, said)


def test_as_many_iterations_as_a_launch_does_are_enough() -> None:
    assert compare_footprints(ONE, other(iterations=84), 84).same
    assert not compare_footprints(other(iterations=83), ONE, 84).same
    said = compare_footprints(other(code=()), ONE, 84).why
    assert said == "not compared: nothing of the base was executed"


def test_a_file_of_another_name_with_the_same_content_is_the_same() -> None:
    assert compare_footprints(ONE, other(inputs=(("copy.txt", "w"),)), 84).same


def test_a_program_and_its_stripped_copy_are_told_by_what_is_loaded() -> None:
    """Without symbols its code is cut into other parts, under other labels."""
    whole = msgspec.structs.replace(ONE, loaded={"": "m", "libwords.so": "n"})
    stripped = msgspec.structs.replace(
        whole,
        code=(Chunk("q", "q1", ""),),
        data=(),
        loops={"1": LoopCounts("X", 9), "10": LoopCounts("Y", 90)},
    )
    assert compare_footprints(whole, stripped, 84) == SameCode(True, "same machine code")
    differ = {
        "find, hash is not the same code": {"loaded": {"": "m", "libwords.so": "N"}},
        "libc.so.6 is not the same library": {"libraries": {"libc.so.6": "L"}},
        "it opens words.txt, which is not the same file": {"inputs": ()},
        "the same code is executed another number of times": {
            "loops": {"1": LoopCounts("X", 9), "10": LoopCounts("Y", 91)}
        },
    }
    for said, changes in differ.items():
        found = compare_footprints(whole, msgspec.structs.replace(stripped, **changes), 84)
        assert found == SameCode(False, said)
    unknown = msgspec.structs.replace(stripped, loaded={})
    assert not compare_footprints(ONE, unknown, 84).same
