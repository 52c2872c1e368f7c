"""What a search for a commit assumes before it has measured anything."""

from typing import Annotated

from msgspec import Meta, Struct

# The least slowdown that can be searched for, as a log ratio: 0 gave NaN. A round number.
SMALLEST = 1e-4
# The upper bounds below are round numbers, far beyond any search: they refuse a damaged file.
_Share = Annotated[float, Meta(gt=0.0, lt=1.0)]
_Size = Annotated[float, Meta(ge=SMALLEST, le=3.0)]  # log ratio; ln 10 = 2.3
_Rounds = Annotated[int, Meta(ge=1, le=1_000_000)]


class SearchSettings(Struct, frozen=True, kw_only=True):
    """Sizes are log ratios (0.02: 2 %), shares are probabilities, costs are in rounds.

    The ranges are those that a file of steps must keep. The defaults were chosen on simulated
    histories (decision 34).
    """

    target: _Share = 0.97  # the probability that settles an answer: right in 95 % (decision 34)
    none: _Share = 0.1  # prior share of "BAD is not slower than GOOD"
    undone: _Share = 0.07  # prior share of histories with another slowdown, undone later
    several: _Share = 0.3  # prior share of histories that one change does not explain
    smallest: _Size = 0.02  # about the smallest slowdown that is worth a search
    layout: _Size = 0.003  # by how much builds of equal code usually differ (median)
    # What building a commit for the first time costs, in rounds.
    build_cost: Annotated[float, Meta(ge=0.0, le=1e6)] = 0.0
    first_rounds: _Rounds = 1  # rounds of BAD before anything is known of noise and size
    most_rounds: _Rounds = 32  # rounds of one step, at most
    budget_rounds: _Rounds = 600  # rounds of all steps together, at most
