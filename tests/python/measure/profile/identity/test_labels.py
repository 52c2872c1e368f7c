"""Parts are told apart by what they are, by what they refer to and by what refers to them."""

from collections import Counter
from collections.abc import Hashable

from assay.measure.profile.identity.labels import Node, refined


def told(nodes: dict[Hashable, Node]) -> Counter[str]:
    return Counter(refined(nodes).values())


def program(read: str) -> dict[Hashable, Node]:
    """Two zeros, set to other numbers by one part; `read` is what another part reads."""
    return {
        "setup": Node(b"set 1, set 2", (("", "low"), ("", "high"))),
        "loop": Node(b"read", (("", read),)),
        "low": Node(b"zeros 4"),
        "high": Node(b"zeros 4"),
    }


def test_which_of_two_equal_things_is_read_makes_a_difference() -> None:
    assert told(program("low")) != told(program("high"))


def test_names_make_no_difference() -> None:
    renamed: dict[Hashable, Node] = {"b": Node(b"zeros 4"), "a": Node(b"read", (("", "b"),))}
    assert told(renamed) == told({"y": Node(b"read", (("", "x"),)), "x": Node(b"zeros 4")})


def test_circles_end() -> None:
    circle: dict[Hashable, Node] = {
        "a": Node(b"call", (("", "b"),)),
        "b": Node(b"call", (("", "a"),)),
    }
    assert len(told(circle)) == 1
