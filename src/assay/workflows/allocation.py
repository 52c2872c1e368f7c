"""Who gets the rounds that are left.

Every benchmark first gets a few rounds. From then on each pass visits those
still undecided; when what is left cannot settle them all, the ones nearest to
a decision go first and the rest wait.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FIRST_ROUNDS = 8  # before this nothing is known about who is near a decision


@dataclass(frozen=True)
class Prospect:
    """An undecided benchmark: how far from a decision, and what a round of it costs."""

    rounds: int
    priority: float  # larger is nearer to a decision
    rounds_needed: int | None
    round_s: float


def next_pass(prospects: Mapping[str, Prospect], left_s: float) -> list[str]:
    """The benchmarks of the next pass, nearest to a decision first."""
    young = [name for name, p in prospects.items() if p.rounds < FIRST_ROUNDS]
    if young:
        return young
    ranked = sorted(prospects, key=lambda name: -prospects[name].priority)
    return _affordable(ranked, prospects, left_s) or ranked


def _affordable(
    ranked: Sequence[str], prospects: Mapping[str, Prospect], left_s: float
) -> list[str]:
    """The longest head of `ranked` that the time left is likely to settle."""
    chosen: list[str] = []
    for name in ranked:
        prospect = prospects[name]
        if prospect.rounds_needed is None:
            continue
        left_s -= prospect.rounds_needed * prospect.round_s
        if left_s < 0:
            break
        chosen.append(name)
    return chosen
