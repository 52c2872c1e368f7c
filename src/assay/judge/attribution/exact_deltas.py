"""Compares counts of events (allocations, system calls) of both sides, function by function.

    found = changes_by_function([base_counts, again], [candidate_counts, again], iterations=1000)
    found.told[0].function      'Log::seal()'

Counts of one program are usually the same in every run; then any difference is one of the
programs. Several runs of each side tell which counts are not: a function is named only when the
gap between the sides is wider than both vary together.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from assay.resources import Amount, Counts, Deltas, FunctionChange, Gauge, ResourceSpot, SpotChange

# A change is named from one event in a thousand iterations, or a thousandth of the base's bytes, on
# (decision 40: "What is not named").
_SMALLEST = 1000


def changes_by_function(
    base: Sequence[Counts], candidate: Sequence[Counts], iterations: int
) -> Deltas:
    """Which functions cause more or fewer events, from one run or more of each side.

    Amounts are events and bytes of all iterations together, those of the first run of each side;
    further runs tell which functions vary from run to run. The rules: decision 40.
    """
    groups = _amounts_by_function(base[0]), _amounts_by_function(candidate[0])
    names = sorted({*groups[0], *groups[1]})
    found = [
        _function_change(
            name,
            groups[0].get(name, {}),
            groups[1].get(name, {}),
            _varies_between_runs(name, base, candidate),
        )
        for name in names
    ]
    ours, theirs = sum_of_amounts(base[0].values()), sum_of_amounts(candidate[0].values())
    whole = theirs.minus(ours)
    changes = tuple(
        sorted((one for one in found if one.places), key=lambda one: _rank_key(one, whole))
    )
    moved = _moved_functions(changes)
    names_moved = {name for pair in moved for name in pair}
    told = tuple(
        one
        for one in changes
        if whole != Amount()  # else there is no difference to explain
        and _is_worth_naming(one, ours, iterations)
        and one.function not in names_moved
    )
    return Deltas(iterations, ours, theirs, changes, told, moved)


def sum_of_amounts(amounts: Iterable[Amount]) -> Amount:
    """The sum of amounts, events and bytes apart."""
    found = Amount()
    for one in amounts:
        found = found.plus(one)
    return found


def compare_quantity(name: str, base: Sequence[float], candidate: Sequence[float]) -> Gauge:
    """The range of a quantity over the runs of each side, and whether the sides differ.

    They do when the gap between them is wider than both vary together, and at least 0.001 and a
    hundredth of the largest value. With four runs a side, equal sides lie apart by chance in 1 of
    35 cases, and by such a gap in far fewer. One value a run, of one iteration (decision 40).
    """
    ours, theirs = (min(base), max(base)), (min(candidate), max(candidate))
    gap = max(theirs[0] - ours[1], ours[0] - theirs[1])
    smallest = max(1 / _SMALLEST, max(ours[1], theirs[1]) / 100)
    return Gauge(
        name, ours, theirs, is_changed=_differ_beyond_scatter(base, candidate) and gap >= smallest
    )


def _amounts_by_function(counts: Counts) -> dict[str, dict[ResourceSpot, Amount]]:
    groups: dict[str, dict[ResourceSpot, Amount]] = defaultdict(dict)
    for spot, amount in counts.items():
        groups[spot.function][spot] = amount
    return groups


def _function_change(
    name: str, base: dict[ResourceSpot, Amount], candidate: dict[ResourceSpot, Amount], varies: bool
) -> FunctionChange:
    places = sorted(
        _changes_by_line(base, candidate),
        key=lambda one: _absolute_amount(one.amount),
        reverse=True,
    )
    return FunctionChange(
        name,
        sum_of_amounts(base.values()),
        sum_of_amounts(candidate.values()),
        tuple(places),
        varies=varies,
    )


def _changes_by_line(
    base: dict[ResourceSpot, Amount], candidate: dict[ResourceSpot, Amount]
) -> list[SpotChange]:
    """The changes at each source line of one function, lines of both sides being matched.

    An edit above a function moves all its lines, so a line is recognised by what it calls and how
    often.
    """
    ours, theirs = dict(base), dict(candidate)
    for spot, amount in base.items():
        same = [
            other for other, its in theirs.items() if its == amount and _is_same_call(spot, other)
        ]
        if same:
            other = spot if spot in same else same[0]
            del ours[spot], theirs[other]
    found = []
    for spot, amount in ours.items():
        alike = [other for other in theirs if _is_same_call(spot, other)]
        other = alike[0] if alike and spot not in theirs else spot
        found.append(SpotChange(other, amount, theirs.pop(other, Amount())))
    return found + [SpotChange(spot, Amount(), amount) for spot, amount in theirs.items()]


def _is_same_call(one: ResourceSpot, other: ResourceSpot) -> bool:
    return (one.what, one.via, one.caller) == (other.what, other.via, other.caller)


def is_steady(base: Sequence[Counts], candidate: Sequence[Counts]) -> bool:
    """Whether all runs of each side counted the same: then two runs a side are enough."""
    return all(one == runs[0] for runs in (base, candidate) for one in runs)


def _varies_between_runs(name: str, base: Sequence[Counts], candidate: Sequence[Counts]) -> bool:
    """Whether a function's counts differ between the sides no more than from run to run.

    This is asked of the number of events and of their bytes.
    """
    ours, theirs = _amount_in_each_run(name, base), _amount_in_each_run(name, candidate)
    return not any(
        _differ_beyond_scatter([one[part] for one in ours], [one[part] for one in theirs])
        for part in (0, 1)
    )


def _differ_beyond_scatter(base: Sequence[float], candidate: Sequence[float]) -> bool:
    gap = max(min(candidate) - max(base), min(base) - max(candidate))
    return gap > (max(base) - min(base)) + (max(candidate) - min(candidate))


def _amount_in_each_run(name: str, runs: Sequence[Counts]) -> list[Amount]:
    return [
        sum_of_amounts(amount for spot, amount in one.items() if spot.function == name)
        for one in runs
    ]


def _absolute_amount(amount: Amount) -> tuple[int, int]:
    return abs(amount.times), abs(amount.size)


def _rank_key(one: FunctionChange, whole: Amount) -> tuple[bool, int, int, str]:
    """Sort key: changes in the direction of the whole difference first, unknown functions last."""
    sign = _sign(whole.times) or _sign(whole.size) or 1
    count, size = one.amount
    return not one.function, -count * sign, -size * sign, one.function


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _is_worth_naming(one: FunctionChange, base: Amount, iterations: int) -> bool:
    if not one.function or one.varies:
        return False
    count, size = _absolute_amount(one.amount)
    return count * _SMALLEST >= iterations or size * _SMALLEST >= max(base.size, iterations)


def _moved_functions(changes: Sequence[FunctionChange]) -> tuple[tuple[str, str], ...]:
    """Pairs of a function that only the base has and one that only the candidate has.

    Both have the same number of events and bytes, so these only moved from the one to the other.
    """
    gone = {one.base: one.function for one in changes if one.candidate == Amount()}
    new = {one.candidate: one.function for one in changes if one.base == Amount()}
    pairs = [(gone[amount], new[amount]) for amount in gone if amount in new]
    return tuple((old, name) for old, name in pairs if old and name)
