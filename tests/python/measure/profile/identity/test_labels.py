"""Parts are told apart by what they are, by what they refer to and by what refers to them."""

from collections import Counter
from collections.abc import Hashable

from assay.measure.profile.identity.labels import LabelledPart, refined_labels


def told(nodes: dict[Hashable, LabelledPart]) -> Counter[str]:
    return Counter(refined_labels(nodes).values())


def program(read: str) -> dict[Hashable, LabelledPart]:
    """Two zeros, set to other numbers by one part; `read` is what another part reads."""
    return {
        "setup": LabelledPart(b"set 1, set 2", (("", "low"), ("", "high"))),
        "loop": LabelledPart(b"read", (("", read),)),
        "low": LabelledPart(b"zeros 4"),
        "high": LabelledPart(b"zeros 4"),
    }


def test_which_of_two_equal_things_is_read_makes_a_difference() -> None:
    assert told(program("low")) != told(program("high"))


def test_names_make_no_difference() -> None:
    renamed: dict[Hashable, LabelledPart] = {
        "b": LabelledPart(b"zeros 4"),
        "a": LabelledPart(b"read", (("", "b"),)),
    }
    assert told(renamed) == told(
        {"y": LabelledPart(b"read", (("", "x"),)), "x": LabelledPart(b"zeros 4")}
    )


def test_circles_end() -> None:
    circle: dict[Hashable, LabelledPart] = {
        "a": LabelledPart(b"call", (("", "b"),)),
        "b": LabelledPart(b"call", (("", "a"),)),
    }
    assert len(told(circle)) == 1
