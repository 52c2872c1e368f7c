"""How the hottest loop of a function lies in the lines of the cache: hot_loop().

    found = hot_loop(body, counts)
    found.size, found.lines, found.windows      46 bytes, in 2 lines of 64 and 3 windows of 32

A decoder fetches code by lines of 64 bytes and keeps what it decoded by windows of 32. A small loop
that begins elsewhere may take one more of either, and then some percent more time for the same
instructions (Intel, "Optimization Reference Manual", 3.4 and E.2).
"""

import re
from collections.abc import Mapping
from itertools import pairwise

from assay.machine_code import Body, HotLoop

_LINE, _WINDOW = 64, 32  # bytes
# The end of a jump within its function: by how many instructions it goes back.
_BACK = re.compile(r"-(\d+)$")


def hot_loop(body: Body, counts: Mapping[int, int]) -> HotLoop | None:
    """Size and place of the loop whose jump back was executed most often; of several, the smallest.

    `counts` says how often each instruction was executed, by address. None: no executed loop.
    """
    addresses = [one.address for one in body.instructions]
    # The hottest loop so far: executions, minus its size in bytes, address of its start.
    best: tuple[int, int, int] | None = None
    ends = [after for _, after in pairwise(addresses)] + [body.address + body.size]
    for index, one in enumerate(body.instructions):
        back = _BACK.search(one.code) if one.inside else None
        times = counts.get(one.address, 0)
        if back is None or not times or int(back[1]) > index:
            continue
        start = addresses[index - int(back[1])]
        found = (times, start - ends[index], start)
        best = max(best, found) if best else found
    if best is None:
        return None
    _, less, start = best
    last = start - less - 1
    return HotLoop(
        -less, last // _LINE - start // _LINE + 1, last // _WINDOW - start // _WINDOW + 1
    )
