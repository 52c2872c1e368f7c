"""The ranked answer to why one build takes longer, in sentences.

numbered(found)     "`Wal::append` does 812 more instructions an iteration (+31 %), all from
                    `memmove` called at wal.cc:88; that is 5.1 of the 6.0 points [+4.2, +5.9]"
rest(found)         "unexplained, and all others together: +0.9 points"
said(found)         the first sentence, for lists
"""

from collections.abc import Iterator

from assay.explained import Explained, FunctionPart
from assay.show.words import why_code, why_first, why_time, why_work


def said(found: Explained) -> str:
    """The first sentence of the answer."""
    if first := why_first.sentence(found):
        return first
    if found.work is not None:
        return next(numbered(found), headline(found))
    return why_code.headline(found.code) if found.code else ""


def headline(found: Explained) -> str:
    """The whole difference in work; empty if work was not counted."""
    if found.work is None:
        return ""
    differs = found.time is not None and found.time.whole.is_change
    return why_work.headline(found.work, time_differs=differs)


def numbered(found: Explained, most: int | None = None) -> Iterator[str]:
    """What explains the difference, the largest first; at most `most` functions."""
    for part in found.answer()[:most]:
        yield _sentence(found, part)


def rest(found: Explained, most: int | None = None) -> Iterator[str]:
    """Lines on the functions that are not shown, so that all lines add up to the whole difference.

    There is one for instructions and one for time.
    """
    shown = {part.function for part in found.answer()[:most]}
    if found.work is not None:
        yield from why_work.rest(found.work, shown)
    if found.time is not None:
        yield from why_time.rest(found.time, shown)


def _sentence(found: Explained, part: FunctionPart) -> str:
    if part.work is None or found.work is None:
        return why_time.change(found.time, part.time) if found.time and part.time else ""
    said = why_work.change(found.work.loop, part.work)
    if found.time is None or part.time is None:
        return said
    agree = (part.work.amount > 0) == (part.time.change.amount > 0)
    joined = "; that is" if agree else ", but takes"
    return f"{said}{joined} {why_time.amount(found.time, part.time)}"
