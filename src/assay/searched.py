"""What a store keeps of a search by `assay bisect`: the answer, and how it narrowed, step by step.

Searched.steps[3].likely        the commits that were likeliest then, and how likely
"""

from typing import Annotated

from msgspec import Meta, Struct

Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
MOST_LIKELY = 5  # commits that are kept of each step
MOST_STEPS = 400  # that are kept of a search, the last ones


class Named(Struct, frozen=True, kw_only=True):
    """A commit that is told of."""

    hash: str
    subject: str
    place: Count  # in the history from GOOD to BAD, the first is 1


class Narrowed(Struct, frozen=True, kw_only=True):
    """After one step."""

    commit: str  # that was measured
    rounds: Count  # of all steps until then
    change: Annotated[float, Meta(ge=-1.0, le=1e9)] | None  # of this step; None: it did not run
    likely: tuple[tuple[str, Share], ...]  # the likeliest first
    none: Share  # that BAD is not slower
    left: Count  # commits that together are likelier than nine in ten


class Searched(Struct, frozen=True, kw_only=True):
    """One search, as far as it went."""

    good: str
    bad: str
    benchmark: str
    metric: str
    ended_s: Annotated[float, Meta(ge=-1e11, le=1e11)]
    between: Count  # commits
    commits: tuple[Named, ...]  # those that are told of, in the order of the history
    steps: tuple[Narrowed, ...]
    answer: tuple[str, ...]  # the commits that are named; none: BAD is not slower
    probability: Share
    settled: bool
    size: Annotated[float, Meta(ge=-1.0, le=1e9)]  # of the slowdown, as a fraction
    key: str = ""  # of its file, which is not in it
