"""Which findings about allocations and system calls are shown, and in which order.

of_memory(memory).lines[0].subject          'Log::seal()'
"""

from collections.abc import Iterator

from assay.findings import ELSEWHERE, Cause, Claim, Difference, StageFindings, StageName, WhyFinding
from assay.resources import Amount, Deltas, FunctionChange, Gauge, Memory, SpotChange, Syscalls

_FUNCTIONS = 5  # functions named of one stage; the others are summed up
_NONE = Amount()
_PLACES = 3  # source lines named of one function
_COUNTERS = (
    *("peak", "minor_faults", "major_faults", "waits", "cpu_migrations"),
    *("cycles", "instructions", "cache_misses", "branch_misses"),
)


def of_memory(found: Memory) -> StageFindings:
    """Changes in allocations, the largest first, then what else is known about memory."""
    lines = [
        *_functions(StageName.MEMORY, found.allocations),
        *_freed(found),
        *_counters(StageName.MEMORY, found.gauges),
    ]
    head = _whole(StageName.MEMORY, found.allocations, "allocation")
    return StageFindings(StageName.MEMORY, head, tuple(lines), found.notes)


def of_syscalls(found: Syscalls) -> StageFindings:
    """System calls made more or less often, and by which functions."""
    lines = [
        *_functions(StageName.SYSCALLS, found.calls),
        *_durations(found),
        *_counters(StageName.SYSCALLS, found.gauges),
    ]
    head = _whole(StageName.SYSCALLS, found.calls, "system call")
    return StageFindings(StageName.SYSCALLS, head, tuple(lines), found.notes)


def _whole(stage: StageName, found: Deltas, unit: str) -> WhyFinding:
    claim = Claim.DIFFERS if found.told or not found.has_names else Claim.SMALL
    if found.whole == _NONE:
        claim = Claim.SAME
    amounts = _amounts(found.whole, found.iterations, found.base, unit)
    return WhyFinding(stage, claim, amounts=amounts)


def _functions(stage: StageName, found: Deltas) -> Iterator[WhyFinding]:
    """Findings on the functions to name, then on the rest: they add up to the whole difference."""
    named = found.told[:_FUNCTIONS]
    for rank, one in enumerate(named, 1):
        amounts, causes = _amounts(one.amount, found.iterations), _causes(one, found.iterations)
        yield WhyFinding(stage, Claim.FUNCTION, one.function, amounts, causes, rank=rank)
    unknown, rest = found.unexplained, found.whole.minus(found.unexplained)
    for one in named:
        rest = rest.minus(one.amount)
    for claim, left in ((Claim.UNKNOWN, unknown), (Claim.REST, rest)):
        if named and left != _NONE:
            yield WhyFinding(stage, claim, amounts=_amounts(left, found.iterations))
    for old, new in found.moved[:_FUNCTIONS]:
        yield WhyFinding(stage, Claim.MOVED, new, other=old)


def _causes(one: FunctionChange, iterations: int) -> tuple[Cause, ...]:
    changed = [place for place in one.places if place.amount != _NONE]
    more = (Cause(ELSEWHERE),) if len(changed) > _PLACES else ()
    return (*(_cause(place, iterations) for place in changed[:_PLACES]), *more)


def _cause(one: SpotChange, iterations: int) -> Cause:
    spot, amounts = one.spot, _amounts(one.amount, iterations)
    return Cause(spot.what, spot.via, spot.place, amounts, spot.caller)


def _amounts(
    amount: Amount, iterations: int, base: Amount = _NONE, unit: str = "time"
) -> tuple[Difference, Difference]:
    return (
        Difference(unit, base.times, amount.times, iterations),
        Difference("B", base.size, amount.size, iterations),
    )


def _freed(found: Memory) -> Iterator[WhyFinding]:
    """A finding on frees, if their number did not change as that of allocations did.

    Then memory is kept that was freed before, or the reverse.
    """
    freed, allocated = found.frees, found.allocations
    if freed.whole.times and freed.whole.times != allocated.whole.times:
        amounts = _amounts(freed.whole, freed.iterations, freed.base, "free")
        yield WhyFinding(StageName.MEMORY, Claim.FREED, amounts=amounts)


def _durations(found: Syscalls) -> Iterator[WhyFinding]:
    """How long each system call took whose number changed in a function to name."""
    names = {place.spot.what for one in found.calls.told for place in one.places}
    for one in found.gauges:
        name = one.name.removeprefix("ns in ")
        if name != one.name and name in names:
            both = one.base, one.candidate
            yield WhyFinding(
                *(StageName.SYSCALLS, Claim.DURATION, name), ranges=both, measured_by=found.tool
            )


def _counters(stage: StageName, gauges: tuple[Gauge, ...]) -> Iterator[WhyFinding]:
    for one in gauges:
        if one.is_changed and one.name in _COUNTERS:
            yield WhyFinding(stage, Claim.COUNTER, one.name, ranges=(one.base, one.candidate))
