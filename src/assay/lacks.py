"""What an executable lacks, so that an explanation names less: said alike by every stage.

    note = lacking("base", Lack.LINES, "build it with -g for lines")
    lack_in(note)                   ("base", Lack.LINES)

Notes of `why` are kept as text in its answers. So that the same lack is told once, it is found in
them where it is also put into words: here, and nowhere else.
"""

from enum import StrEnum

_SIDES = ("base", "candidate")


class Lack(StrEnum):
    """What an executable lacks; the values are the words that notes use, after the side."""

    NAMES = "is stripped"
    LINES = "has no debug information"


def lacking(side: str, lack: Lack, then: str) -> str:
    """A note that says what a side lacks; `then` says what follows from it, and what to do."""
    return f"{_begin(side, lack)}{then}"


def lack_in(note: str) -> tuple[str, Lack] | None:
    """The side and what it lacks, read from a note of `lacking`; None for any other note."""
    both = ((side, lack) for side in _SIDES for lack in Lack)
    return next((one for one in both if note.startswith(_begin(*one))), None)


def _begin(side: str, lack: Lack) -> str:
    return f"the {side} {lack}: "
