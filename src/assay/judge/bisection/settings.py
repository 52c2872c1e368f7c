"""What a search for a commit takes for granted before it has measured anything."""

from msgspec import Struct


class Settings(Struct, frozen=True, kw_only=True):
    """Sizes are log ratios (0.02: 2 %), shares are probabilities, costs are in rounds."""

    target: float = 0.97  # the probability that settles an answer: right in 95 % (decision 34)
    none: float = 0.1  # prior share of "BAD is not slower than GOOD"
    undone: float = 0.07  # prior share of histories with another slowdown, undone later
    several: float = 0.3  # prior share of histories that one change does not explain
    smallest: float = 0.02  # about the smallest slowdown that is worth a search
    layout: float = 0.003  # by how much builds of equal code usually differ (median)
    build_cost: float = 0.0  # of a commit that was not built yet
    first_rounds: int = 1  # of BAD, before anything is known of noise and size
    most_rounds: int = 32  # in one step
    budget_rounds: int = 600  # of all steps together
