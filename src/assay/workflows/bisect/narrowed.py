"""Sums up a search step by step, from its journal, as a store keeps it for pages.

found = summary_of_search(search, commits, (good.hash, bad.hash), (name, metric), now_s)
"""

import math
from collections.abc import Mapping
from statistics import median

from msgspec import structs

from assay.bisection import Commit
from assay.judge.bisection.search import Rounds, Search
from assay.searched import MOST_LIKELY, MOST_STEPS, KeptSearch, NamedCommit, SearchStep

_NEARLY_ALL = 0.9


def summary_of_search(
    search: Search,
    commits: Mapping[str, Commit],
    ends: tuple[str, str],
    series: tuple[str, str],
    now_s: float,
) -> KeptSearch:
    """Summary of a search for the commit that made a benchmark slower.

    `ends` are the hashes of GOOD and BAD, between which is searched; `series` is the benchmark and
    its metric.
    """
    answer, seen = search.answer(), len(search.journal)
    first = max(0, seen - MOST_STEPS)
    steps = tuple(_summary_after_steps(search, until) for until in range(first + 1, seen + 1))
    told = {*answer.commits, *(one.commit for one in steps)}
    told |= {commit for one in steps for commit, _ in one.likely}
    order = [one for one in search.graph.commits if one in commits]
    return KeptSearch(
        good=ends[0],
        bad=ends[1],
        benchmark=series[0],
        metric=series[1],
        ended_s=now_s,
        between=len(order),
        commits=tuple(
            NamedCommit(hash=one, subject=commits[one].subject, place=place)
            for place, one in enumerate(order, 1)
            if one in told
        ),
        steps=steps,
        answer=answer.commits,
        probability=_share(answer.probability),
        settled=answer.settled,
        size=math.expm1(answer.size),
    )


def _summary_after_steps(search: Search, until: int) -> SearchStep:
    """How likely each commit was to be the slow one, after the first
    `until` steps of the search.
    """
    then = structs.replace(search, journal=search.journal[:until])
    last = then.journal[-1]
    ratios = last.log_ratios if isinstance(last, Rounds) else ()
    likely = sorted(then.posterior().items(), key=lambda one: -one[1])
    answer = then.answer()
    return SearchStep(
        commit=last.commit,
        rounds=answer.rounds,
        change=math.expm1(median(ratios)) if ratios else None,
        likely=tuple((one, _share(p)) for one, p in likely[:MOST_LIKELY]),
        none=_share(answer.none),
        left=_number_of_likely_commits([p for _, p in likely]),
    )


def _number_of_likely_commits(shares: list[float]) -> int:
    """The smallest number of commits, likeliest first, that together have
    90 % of the probability.
    """
    together, wanted = 0.0, _NEARLY_ALL * sum(shares)
    for number, share in enumerate(shares, 1):
        together += share
        if together >= wanted:
            return number
    return len(shares)


def _share(number: float) -> float:
    """The probability, which is set to 0 or 1 if rounding took it slightly beyond."""
    return min(1.0, max(0.0, number))
