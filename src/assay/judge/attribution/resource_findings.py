"""Which findings about allocations and system calls are shown, and in which order.

findings_on_memory(memory, most=5).lines[0].subject          'Log::seal()'
"""

from collections.abc import Iterator, Sequence

from assay.findings import ELSEWHERE, Cause, Claim, Difference, StageFindings, StageName, WhyFinding
from assay.resources import Amount, Deltas, FunctionChange, Gauge, Memory, SpotChange, Syscalls

_NONE = Amount()
_PLACES = 3  # source lines named of one function: how much a reader is shown, by no decision
_COUNTERS = (
    *("peak", "minor_faults", "major_faults", "waits", "cpu_migrations"),
    *("cycles", "instructions", "cache_misses", "branch_misses"),
)


def findings_on_memory(found: Memory, *, most: int | None) -> StageFindings:
    """Changes in allocations, the largest first, then what else is known about memory.

    At most `most` functions are named; the others are summed up.
    """
    lines = [
        *_findings_on_functions(StageName.MEMORY, found.allocations, most),
        *_findings_on_frees(found),
        *_findings_on_counters(StageName.MEMORY, found.gauges),
    ]
    head = _whole_change_finding(StageName.MEMORY, found.allocations, "allocation")
    return StageFindings(StageName.MEMORY, head, tuple(lines), found.notes)


def findings_on_syscalls(found: Syscalls, *, most: int | None) -> StageFindings:
    """System calls made more or less often, and by which functions: at most `most` of them."""
    lines = [
        *_findings_on_functions(StageName.SYSCALLS, found.calls, most),
        *_findings_on_durations(found),
        *_findings_on_counters(StageName.SYSCALLS, found.gauges),
    ]
    head = _whole_change_finding(StageName.SYSCALLS, found.calls, "system call")
    return StageFindings(StageName.SYSCALLS, head, tuple(lines), found.notes)


def _whole_change_finding(stage: StageName, found: Deltas, unit: str) -> WhyFinding:
    claim = Claim.DIFFERS if found.told or not found.has_names else Claim.SMALL
    if found.whole == _NONE:
        claim = Claim.SAME
    amounts = _amounts(found.whole, found.iterations, found.base, unit)
    return WhyFinding(stage, claim, amounts=amounts)


def _findings_on_functions(
    stage: StageName, found: Deltas, most: int | None
) -> Iterator[WhyFinding]:
    """Findings on the functions to name, then on the rest: they add up to the whole difference."""
    named = found.told[:most]
    for rank, one in enumerate(named, 1):
        amounts, causes = _amounts(one.amount, found.iterations), _causes(one, found.iterations)
        yield WhyFinding(stage, Claim.FUNCTION, one.function, amounts, causes, rank=rank)
    if named:
        yield from _not_named(stage, found, named)
    for old, new in found.moved[:most]:
        yield WhyFinding(stage, Claim.MOVED, new, other=old)
    if others := len(found.moved) - len(found.moved[:most]):
        yield WhyFinding(stage, Claim.MOVED, others=others)


def _not_named(
    stage: StageName, found: Deltas, named: Sequence[FunctionChange]
) -> Iterator[WhyFinding]:
    """Findings on what no known function caused, and on all functions that are not `named`."""
    if found.unexplained != _NONE:
        unknown = _amounts(found.unexplained, found.iterations)
        yield WhyFinding(stage, Claim.UNKNOWN, amounts=unknown)
    rest, others = found.whole.minus(found.unexplained), len(found.told) - len(named)
    for one in named:
        rest = rest.minus(one.amount)
    if others or rest != _NONE:
        amounts = _amounts(rest, found.iterations)
        yield WhyFinding(stage, Claim.REST, amounts=amounts, others=others)


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


def _findings_on_frees(found: Memory) -> Iterator[WhyFinding]:
    """A finding on frees, if their number did not change as that of allocations did.

    Then memory is kept that was freed before, or the reverse.
    """
    freed, allocated = found.frees, found.allocations
    if freed.whole.times and freed.whole.times != allocated.whole.times:
        amounts = _amounts(freed.whole, freed.iterations, freed.base, "free")
        yield WhyFinding(StageName.MEMORY, Claim.FREED, amounts=amounts)


def _findings_on_durations(found: Syscalls) -> Iterator[WhyFinding]:
    """How long each system call took whose number changed in a function to name."""
    names = {place.spot.what for one in found.calls.told for place in one.places}
    for one in found.gauges:
        name = one.name.removeprefix("ns in ")
        if name != one.name and name in names:
            both = one.base, one.candidate
            yield WhyFinding(
                *(StageName.SYSCALLS, Claim.DURATION, name), ranges=both, measured_by=found.tool
            )


def _findings_on_counters(stage: StageName, gauges: tuple[Gauge, ...]) -> Iterator[WhyFinding]:
    for one in gauges:
        if one.is_changed and one.name in _COUNTERS:
            yield WhyFinding(stage, Claim.COUNTER, one.name, ranges=(one.base, one.candidate))
