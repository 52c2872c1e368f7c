"""Which member of a group of benchmarks is the fastest at each size, and what thread safety costs.

    choices(samples, {"bench_ref_copy<RefType::SharedPointer>": "ref"})

A choice is not a verdict: members are not measured in rounds, and no interval is made. So a lead
below `CLOSE` counts as none, and from one size to the next the winner stays the same until another
member is clearly faster. For a verdict on two members there is `assay compare`.
"""

from collections.abc import Iterable, Mapping

from assay.judge.labs.benchmark_names import ParsedName, parse_name
from assay.judge.labs.levels import levels
from assay.model import Choice, Contest, Level, Sample, Standing
from assay.units import TIME_UNITS_NS

# Ratio of times up to which two members count as equally fast. Not tuned: a choice has no
# interval, so a lead must be plain to count.
CLOSE = 1.05

_Key = tuple[str, str, str, str]  # group, operation, conditions, name of the last argument


def choices(samples: Iterable[Sample], groups: Mapping[str, str]) -> tuple[Choice, ...]:
    """A choice for each operation and case with two members or more, in the order they appear.

    `groups` names each benchmark's group. Members are compared by the medians of their launches
    (`levels`), in nanoseconds; benchmarks whose names are of another style are left out.
    """
    held = tuple(samples)
    labels = {sample.benchmark: sample.label for sample in held}
    found: dict[_Key, dict[float | None, list[Standing]]] = {}
    for level in levels(held):
        parts = parse_name(level.benchmark)
        if parts is None:
            continue
        key, size = _key_and_size(groups.get(level.benchmark, ""), parts)
        standing = _standing_of_member(level, parts, labels[level.benchmark])
        found.setdefault(key, {}).setdefault(size, []).append(standing)
    made = (_choice(key, sizes) for key, sizes in found.items())
    return tuple(choice for choice in made if choice.contests)


def _key_and_size(group: str, parts: ParsedName) -> tuple[_Key, float | None]:
    *fixed, last = parts.arguments or [("", None)]
    case = [*parts.conditions, *(f"{name} {value:,.0f}".strip() for name, value in fixed)]
    return (group, parts.operation, ", ".join(case), last[0]), last[1]


def _standing_of_member(level: Level, parts: ParsedName, label: str) -> Standing:
    return Standing(member=parts.member, time=level.real * TIME_UNITS_NS[level.unit], label=label)


def _choice(key: _Key, sizes: Mapping[float | None, list[Standing]]) -> Choice:
    group, operation, case, size_name = key
    ordered = sorted(sizes.items(), key=lambda one: one[0] or 0.0)
    contests = tuple(_contest_at_size(size, here) for size, here in ordered if len(here) > 1)
    return Choice(
        group=group,
        operation=operation,
        case=case,
        size_name=size_name,
        contests=contests,
        takes=_winners_by_size(contests),
    )


def _contest_at_size(size: float | None, standings: list[Standing]) -> Contest:
    ordered = tuple(sorted(standings, key=lambda one: one.time))
    safe, single = (_fastest(ordered, label) for label in ("thread-safe", "single-threaded"))
    return Contest(
        size=size,
        unit="ns",
        standings=ordered,
        lead=_ratio(ordered[1].time, ordered[0].time),
        safety=None if safe is None or single is None else _ratio(safe, single),
    )


def _winners_by_size(contests: tuple[Contest, ...]) -> tuple[tuple[float | None, str], ...]:
    """Each size from which on another member wins, with that member, the smallest size first."""
    takes: list[tuple[float | None, str]] = []
    for contest in contests:
        best = contest.standings[0]
        times = {one.member: one.time for one in contest.standings}
        if takes and times.get(takes[-1][1], float("inf")) <= CLOSE * best.time:
            continue
        takes.append((contest.size, best.member))
    return tuple(takes)


def _fastest(standings: tuple[Standing, ...], label: str) -> float | None:
    return next((one.time for one in standings if one.label == label), None)


def _ratio(time: float, other: float) -> float | None:
    return time / other if other > 0 else None
