"""Which of several links of each side a round took: drawn from the seed, as the record keeps it.

placement = placement_of(seed=7, links=8)
placement("BM_copy", 12)        a number below 8
"""

from assay.judge.pairing import PlacementOf
from assay.measure.schedule import Schedule


def placement_of(seed: int, links: int) -> PlacementOf | None:
    """None where there was one link of each side."""
    if links < 2:
        return None
    schedule = Schedule(seed)
    return lambda benchmark, number: schedule.placement(benchmark, number, links)
