"""What one loop allocated and freed, by the user's function and line.

allocations, frees = by_function(run.loop(1000), run.file, executor)
allocations[Spot("allocation", "Log::seal()", ...)]     Amount(1000, 540000)
"""

from assay.measure.executor import Executor
from assay.measure.profile.call_stacks import Call, Callers, Stack
from assay.measure.profile.loop_file import Loop, LoopFile, Site
from assay.resources import Amount, Counts, Spot


def by_function(loop: Loop, file: LoopFile, executor: Executor) -> tuple[Counts, Counts]:
    """Allocations, and frees. Each adds up to all there were."""
    stacks = [_stack(site, file) for site in loop.sites]
    callers = Callers(stacks, executor)
    found: dict[str, dict[Spot, Amount]] = {"allocation": {}, "free": {}}
    for site, stack in zip(loop.sites, stacks, strict=True):
        counts, spot = found[site.what], callers.spot(site.what, stack)
        counts[spot] = counts.get(spot, Amount()).plus(Amount(site.count, site.size))
    return found["allocation"], found["free"]


def _stack(site: Site, file: LoopFile) -> Stack:
    calls = []
    for address in site.stack:
        module = file.module(address)
        if module is not None:
            calls.append(Call(module.path, address - module.load))
    return tuple(calls)
