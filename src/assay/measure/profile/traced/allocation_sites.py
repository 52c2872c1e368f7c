"""What loops allocated and freed, by the user's function and line.

((allocations, frees), again) = by_function([run.loop(1000), other.loop(1000)], executor)
allocations[ResourceSpot("allocation", "Log::seal()", ...)]     Amount(1000, 540000)
"""

from collections.abc import Sequence

from assay.measure.executor import Executor
from assay.measure.profile.traced.call_stacks import Callers, ReturnAddress, Stack
from assay.measure.profile.traced.loop_file import Site, TracedLoop
from assay.resources import Amount, Counts, ResourceSpot


def by_function(loops: Sequence[TracedLoop], executor: Executor) -> list[tuple[Counts, Counts]]:
    """For each loop of one executable its allocations and its frees; they add up to the totals."""
    stacks = {id(site): _stack(site, loop) for loop in loops for site in loop.sites}
    callers = Callers(set(stacks.values()), executor)
    return [_counts(loop, stacks, callers) for loop in loops]


def _counts(loop: TracedLoop, stacks: dict[int, Stack], callers: Callers) -> tuple[Counts, Counts]:
    """The allocations and the frees of one loop, by what caused them."""
    found: dict[str, dict[ResourceSpot, Amount]] = {"allocation": {}, "free": {}}
    for site in loop.sites:
        counts, spot = found[site.what], callers.spot(site.what, stacks[id(site)])
        counts[spot] = counts.get(spot, Amount()).plus(Amount(site.times, site.size))
    return found["allocation"], found["free"]


def _stack(site: Site, loop: TracedLoop) -> Stack:
    """The return addresses of one chain of calls, each with the file that it lies in."""
    calls = []
    for address in site.stack:
        module = loop.module(address)
        if module is not None:
            calls.append(ReturnAddress(module.path, address - module.load))
    return tuple(calls)
