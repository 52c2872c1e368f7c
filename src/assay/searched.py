"""What a store keeps of a search by `assay bisect`: the answer, and what was known after each step.

Searched.steps[3].likely        the commits that were likeliest then, and how likely
"""

from typing import Annotated

from msgspec import Meta, Struct

Share = Annotated[float, Meta(ge=0.0, le=1.0)]  # a probability
Count = Annotated[int, Meta(ge=0, le=10**9)]  # a number of commits or rounds
MOST_LIKELY = 5  # how many of the likeliest commits are kept for each step
MOST_STEPS = 400  # how many steps of a search are kept: the last ones


class NamedCommit(Struct, frozen=True, kw_only=True):
    """A commit that the kept steps or the answer of a bisection name."""

    hash: str
    subject: str
    place: Count  # number of the commit in the history from GOOD to BAD, from 1 on


class SearchStep(Struct, frozen=True, kw_only=True):
    """One step of a bisection: the commit it measured, and what was known after it."""

    commit: str  # the commit that was measured
    rounds: Count  # rounds measured in all steps so far
    # Relative change to GOOD in this step: 0.05 is 5 % slower; None: it did not run.
    change: Annotated[float, Meta(ge=-1.0, le=1e9)] | None
    likely: tuple[tuple[str, Share], ...]  # the likeliest commits first, with their probability
    none: Share  # probability that BAD is not slower
    left: Count  # size of the smallest set of commits with a probability above 90 %


class KeptSearch(Struct, frozen=True, kw_only=True):
    """What a store keeps of one search by `assay bisect`, finished or interrupted."""

    good: str
    bad: str
    benchmark: str
    metric: str
    ended_s: Annotated[float, Meta(ge=-1e11, le=1e11)]  # seconds since 1970
    between: Count  # number of commits from GOOD to BAD
    # The commits that steps or answer name, in the order of the history.
    commits: tuple[NamedCommit, ...]
    steps: tuple[SearchStep, ...]
    answer: tuple[str, ...]  # hashes of the commits of the answer; none: BAD is not slower
    probability: Share
    settled: bool  # whether the search reached the probability that it aimed at
    size: Annotated[float, Meta(ge=-1.0, le=1e9)]  # size of the slowdown, as a fraction
    key: str = ""  # the name of its file, which is not written in it
