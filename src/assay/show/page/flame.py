"""The data of a differential flame graph, which the page draws.

    packed = flame(stacks, per=(1000, 1000))        for `packed_json`

Both sides are one tree: each frame has its own cost before and now, so functions that are gone or
new are in it too. Frames too small to be seen are added to their caller.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from assay.show.words import format
from assay.stacks import Stack, Stacks

# A narrower box, as a share of the whole graph, is added to its caller; it would be about a pixel
# wide on most screens.
_SMALLEST = 1 / 1500
_DEEPEST = 200  # at most so many calls of a stack are drawn, from the outermost
_LONGEST = 400  # longer names of functions lose characters in the middle
_ARGUMENTS = re.compile(r"<[^<>]*>")
_OPERATOR = re.compile(r"operator(<<=?|<=>|<=|<|->\*?|>>=?|>=|>|\(\)| new| delete)")


class _Frame(msgspec.Struct):
    """A function in one stack of calls: its own cost in base and candidate, and what it calls."""

    own: list[float] = msgspec.field(default_factory=lambda: [0.0, 0.0])
    inner: dict[str, "_Frame"] = msgspec.field(default_factory=dict)

    def whole(self) -> tuple[float, float]:
        base, candidate = self.own
        for one in self.inner.values():
            more = one.whole()
            base, candidate = base + more[0], candidate + more[1]
        return base, candidate


def flame(stacks: Stacks, per: tuple[float, float] = (1, 1)) -> dict[str, Any]:
    """The tree of the stacks of both sides, with the amounts of each divided by its `per`."""
    root = _Frame()
    for side, some in enumerate((stacks.base, stacks.candidate)):
        _add_stacks(root, side, some, per[side])
    smallest = max(root.whole()) * _SMALLEST
    names: dict[str, int] = {}
    tree = _packed_frame("all", root, smallest, names)
    return {"names": [[label(one), format.name(one, _LONGEST)] for one in names], "tree": tree}


def label(name: str) -> str:
    """A name short enough for a box: without scope, template arguments and parameters.

    >>> label("(anonymous namespace)::Log<int>::append(char const*, int) const")
    'Log<…>::append'
    """
    text = format.name(name, _LONGEST).replace("(anonymous namespace)::", "")
    operator = _OPERATOR.search(text)
    if operator is not None:
        return f"{_without_template_arguments(text[: operator.start()])}operator{operator[1]}"
    return _without_template_arguments(text).partition("(")[0].rpartition(" ")[2] or text


def _without_template_arguments(text: str) -> str:
    shorter = _ARGUMENTS.sub("\0", text)
    while _ARGUMENTS.search(shorter):
        shorter = _ARGUMENTS.sub("\0", shorter)
    return shorter.replace("\0", "<…>")


def _add_stacks(root: _Frame, side: int, stacks: Mapping[Stack, int], per: float) -> None:
    for stack, amount in stacks.items():
        frame = root
        for name in stack[:_DEEPEST]:
            frame = frame.inner.setdefault(name, _Frame())
        frame.own[side] += amount / per


def _packed_frame(name: str, frame: _Frame, smallest: float, names: dict[str, int]) -> list[Any]:
    """A function as [number of its name, own cost in the base, own cost in
    the candidate, callees].
    """
    number = names.setdefault(name, len(names))
    seen, small = _split(frame, smallest)
    inner = [_packed_frame(inside, one, smallest, names) for inside, one in seen]
    own = frame.own[0] + small[0], frame.own[1] + small[1]
    return [number, *(round(one, 3) for one in own), inner]


def _split(frame: _Frame, smallest: float) -> tuple[list[tuple[str, _Frame]], tuple[float, float]]:
    """The callees of a function that are large enough to be seen, and the summed cost of
    the others on both sides.
    """
    seen, small = list[tuple[str, _Frame]](), [0.0, 0.0]
    for name, one in sorted(frame.inner.items()):
        whole = one.whole()
        if max(whole) >= smallest:
            seen.append((name, one))
        else:
            small = [small[0] + whole[0], small[1] + whole[1]]
    return seen, (small[0], small[1])
