"""The page *Bisect*: searches for a commit, and how the answer narrowed with each step."""

from collections.abc import Sequence
from typing import Any

from assay.searched import KeptSearch, NamedCommit, SearchStep
from assay.show.page.store.frame import PageFrame, store_page
from assay.show.words import format
from assay.show.words import survey as words

_MOST = 30  # at most so many searches for a commit are on the page
_SUBJECT = 80  # a commit's subject is cut to so many characters


def bisects_page(searches: Sequence[KeptSearch], *, served: bool) -> bytes:
    """The HTML of the page *Bisect*, with the newest search first."""
    count = len(searches)
    headline = f"{format.count(count, 'search')} for a commit."
    lines = () if count else ("assay bisect GOOD BAD --filter NAME makes one.",)
    return store_page(
        PageFrame("bisects.html", "Bisect", headline, served, lines),
        "pages/bisects.html",
        {},
        searches=[_search(one) for one in searches[:_MOST]],
        more=max(0, count - _MOST),
    )


def _search(one: KeptSearch) -> dict[str, Any]:
    named = {each.hash: each for each in one.commits}
    return {
        "name": format.name(one.benchmark),
        "metric": format.name(one.metric),
        "answer": _answer(one, named),
        "about": _search_summary(one),
        "steps": [_step(number, each, named, one) for number, each in enumerate(one.steps, 1)],
    }


def _answer(one: KeptSearch, named: dict[str, NamedCommit]) -> str:
    sure = words.certainty(one.probability)
    if not one.answer:
        return f"None of them: BAD is not slower, sure to {sure}."
    told = ", ".join(_commit(each, named) for each in one.answer[:3])
    more = f" and {len(one.answer) - 3} more" if len(one.answer) > 3 else ""
    made_it = f"{told}{more} made it worse, {format.change(one.size)}"
    return (
        f"{made_it}, sure to {sure}." if one.settled else f"Likeliest so far ({sure}): {made_it}."
    )


def _search_summary(one: KeptSearch) -> str:
    measured = len({each.commit for each in one.steps})
    rounds = one.steps[-1].rounds if one.steps else 0
    between = format.count(one.between, "commit")
    return (
        f"{measured:,} of {between} from {_short(one.good)} to {_short(one.bad)} measured, in "
        f"{format.count(rounds, 'round')}; {words.date(one.ended_s)}."
    )


def _step(
    number: int, one: SearchStep, named: dict[str, NamedCommit], of: KeptSearch
) -> dict[str, Any]:
    likeliest, share = one.likely[0] if one.likely else ("", 0.0)
    if one.none > share:
        likeliest, share = "", one.none
    return {
        "number": number,
        "commit": _commit(one.commit, named),
        "change": "did not run" if one.change is None else format.change(one.change),
        "rounds": f"{one.rounds:,}",
        "likeliest": _commit(likeliest, named) if likeliest else "none of them",
        "share": format.percent(share),
        "left": format.count(one.left, "commit"),
        "window": _window(one, named, of.between),
    }


def _window(one: SearchStep, named: dict[str, NamedCommit], between: int) -> list[dict[str, float]]:
    """A bar for each likely commit after one step of a search: `x` is its place in the history in
    percent, `share` its probability.
    """
    wide = max(1.0, 100 / max(1, between))
    return [
        {
            "x": round(min(100 - wide, 100 * (named[commit].place - 1) / max(1, between)), 2),
            "wide": round(wide, 2),
            "share": round(max(0.08, share), 2),
        }
        for commit, share in one.likely
        if commit in named and share >= 0.01
    ]


def _commit(commit: str, named: dict[str, NamedCommit]) -> str:
    subject = format.name(named[commit].subject, _SUBJECT) if commit in named else ""
    return f"{_short(commit)} {subject}".rstrip()


def _short(commit: str) -> str:
    return format.visible(commit[:10])
