"""What a store keeps of a search by `assay bisect`: the answer, and what was known after each step.

Searched.steps[3].likely        the commits that were likeliest then, and how likely
"""

from typing import Annotated

from msgspec import Meta, Struct

Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
MOST_LIKELY = 5  # commits that are kept of each step
MOST_STEPS = 400  # steps that are kept of a search, the last ones


class NamedCommit(Struct, frozen=True, kw_only=True):
    """A commit that the kept steps or the answer name."""

    hash: str
    subject: str
    place: Count  # in the history from GOOD to BAD, where the first is 1


class SearchStep(Struct, frozen=True, kw_only=True):
    """One step of a bisection: the commit it measured, and what was known after it."""

    commit: str  # the commit that was measured
    rounds: Count  # rounds measured in all steps so far
    # Relative change to GOOD in this step: 0.05 is 5 % slower; None: it did not run.
    change: Annotated[float, Meta(ge=-1.0, le=1e9)] | None
    likely: tuple[tuple[str, Share], ...]  # the likeliest commits first, with their probability
    none: Share  # probability that BAD is not slower
    left: Count  # the fewest commits that together have a probability above 90 %


class KeptSearch(Struct, frozen=True, kw_only=True):
    """One search by `assay bisect`, finished or interrupted."""

    good: str
    bad: str
    benchmark: str
    metric: str
    ended_s: Annotated[float, Meta(ge=-1e11, le=1e11)]  # seconds since 1970
    between: Count  # commits from GOOD to BAD
    commits: tuple[NamedCommit, ...]  # those that are named, in the order of the history
    steps: tuple[SearchStep, ...]
    answer: tuple[str, ...]  # the commits of the answer; none: BAD is not slower
    probability: Share
    settled: bool
    size: Annotated[float, Meta(ge=-1.0, le=1e9)]  # of the slowdown, as a fraction
    key: str = ""  # the name of its file, which is not written in it
