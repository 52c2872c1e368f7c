"""Which link a round used, where each side was linked several times: computed from the seed.

placement = link_by_round(seed=7, links=8)
placement("BM_copy", 12)        a number below 8
"""

from assay.judge.pairing import PlacementOf
from assay.measure.schedule import Schedule


def link_by_round(seed: int, links: int) -> PlacementOf | None:
    """A function that gives the link used in a benchmark's round; None if there is one link."""
    if links < 2:
        return None
    schedule = Schedule(seed)
    return lambda benchmark, number: schedule.placement(benchmark, number, links)
