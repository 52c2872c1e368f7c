"""The result of `assay trust` as one HTML file.

    trust_page(trust) -> bytes

It is plain HTML with small drawings of shares; the script only changes the colours.
"""

from typing import Any

from assay.show.page.frame import rendered
from assay.show.words import format
from assay.show.words import trust as words
from assay.trust import CountedShare, Tries, Trust, TryVerdict, VerdictOutcome

_MOST_ROWS = 2_000  # at most so many verdicts in one table
_WIDTH = 200  # width of the drawing of a share with its interval, in the drawing's own units
_FIRST = (
    VerdictOutcome.WRONG,
    VerdictOutcome.OPEN,
    VerdictOutcome.NOT_SLOWED,
    VerdictOutcome.RIGHT,
)
_CLASSES = {
    VerdictOutcome.RIGHT: "same",
    VerdictOutcome.WRONG: "slower",
    VerdictOutcome.OPEN: "undecided",
}


def trust_page(trust: Trust) -> bytes:
    """The HTML of the page."""
    return rendered(
        "trust.html",
        ("report.css", "trust.css"),
        ("theme", "trust"),
        headline=words.headline(trust),
        target=format.name(trust.target, 300),
        host=[(name, format.name(value, 200)) for name, value in trust.host.items()],
        titles=words.TITLES,
        rows=[_row(one) for one in trust.tries],
        sentences=list(words.sentences(trust)),
        how=list(words.how_obtained(trust)),
        told_titles=words.TOLD_TITLES,
        told=[_verdict_table(one) for one in trust.tries],
        failures=[
            {"name": format.name(one.benchmark), "what": format.name(one.what, 600)}
            for one in trust.failures
        ],
        interrupted=trust.interrupted,
    )


def _row(tries: Tries) -> dict[str, Any]:
    return {"cells": words.row(tries), "drawn": _drawn_interval(tries.right)}


def _drawn_interval(share: CountedShare) -> dict[str, float]:
    """Where to draw a counted share: the ends of its interval, and the share
    itself, in the drawing's units.
    """
    seen = share.count / share.of if share.of else 0.0
    places = {"low": share.low, "high": share.high, "seen": seen}
    return {name: round(_WIDTH * place, 1) for name, place in places.items()}


def _verdict_table(tries: Tries) -> dict[str, Any]:
    """All verdicts of the comparisons with one slowdown: wrong ones first, right ones last."""
    every = sorted(tries.told, key=lambda one: _FIRST.index(one.answer))
    return {
        "title": words.row(tries)[0],
        "rows": [_verdict(one, tries) for one in every[:_MOST_ROWS]],
        "left_out": max(0, len(every) - _MOST_ROWS),
        "count": len(every),
    }


def _verdict(one: TryVerdict, tries: Tries) -> dict[str, Any]:
    cells = words.cells_of_verdict(one, tries.injected)
    return {"cells": cells, "answer": str(one.answer), "style": _CLASSES.get(one.answer, "")}
