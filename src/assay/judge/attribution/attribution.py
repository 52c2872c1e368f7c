"""Which functions' own changes explain the difference in instructions of base and candidate.

found = attribute(base.loop, candidate.loop)
found.changes[0].function       'Wal::append(char const*)'
found.unexplained               0
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from fractions import Fraction

from msgspec.structs import replace

from assay.errors import InputError
from assay.judge.attribution.cancelling import joined_changes
from assay.judge.attribution.folded import UserCallGraph, fold_libraries_into_callers
from assay.judge.attribution.matching import matched_work
from assay.judge.attribution.own_change import NodeChange, own_changes
from assay.judge.attribution.settled import settle_entries_of_both
from assay.work import Attribution, ChangeReason, MovedCost, Node, OwnChange, Place, Work

# A tenth: a function that changed less than a tenth as much as another cannot be the cause of that
# other's change (decision 37).
_FRACTION_OF_VICTIM = 10
# A fiftieth: a change smaller than that share of the largest one is not worth naming. A round
# number that no decision names.
_FRACTION_TOLD = 50


def attribute(
    base: Work,
    candidate: Work,
    known: Collection[str] = (),
    like: tuple[Work, Work] | None = None,
) -> Attribution:
    """Which functions' own changes explain the difference of two amounts of work.

    Amounts are instructions (or simulated misses) of all iterations together, and the changes add
    up to the difference exactly. Those that explain most come first. The formula is in
    `own_change`, its reasons in decision 37. Raises `InputError` unless both sides did equally
    many iterations.

    `known` are functions that both sides have, although they cost nothing on one. `like` is
    the work by which functions are recognised where `base` and `candidate` say too little: the
    instructions, when it is simulated misses that are attributed.
    """
    if base.iterations != candidate.iterations:
        raise InputError(f"{base.iterations} iterations against {candidate.iterations}")
    both = matched_work(base, candidate, like)
    ours, theirs = (
        fold_libraries_into_callers(both.base),
        fold_libraries_into_callers(both.candidate),
    )
    if like:
        alike = matched_work(*like)
        settle_entries_of_both(
            ours,
            theirs,
            alike.called,
            (fold_libraries_into_callers(alike.base), fold_libraries_into_callers(alike.candidate)),
        )
    else:
        settle_entries_of_both(ours, theirs, both.called)
    _enter_known_functions(ours, theirs, known)
    changes = own_changes(ours, theirs)
    whole = candidate.total - base.total
    related = {frozenset((a.function, b.function)) for a, b in (*ours.calls, *theirs.calls)}
    by_function, passed = joined_changes(_by_function(changes), whole, related)
    return Attribution(
        base.iterations,
        base.total,
        candidate.total,
        _ranked_changes(by_function, whole),
        (*both.moved, *_moved_without_change(changes), *passed),
    )


def _enter_known_functions(
    base: UserCallGraph, candidate: UserCallGraph, known: Collection[str]
) -> None:
    """Enter `known` functions that cost nothing on one side into that side's graph.

    So what they cost on the other side is their own change, and not their caller's.
    """
    ours = {node.function for node in base.nodes()}
    theirs = {node.function for node in candidate.nodes()}
    for node in candidate.nodes():
        if node.function in known and node.function not in ours:
            base.entered[node] = max(1, candidate.entered.get(node, 0))
    for caller, node in list(base.calls):
        if node.function in known and node.function not in theirs and len(node.path) > 1:
            candidate.add_calls(caller, node, base.calls[caller, node], Place())
            candidate.entered[node] = base.entered[node]


def _by_function(changes: list[NodeChange]) -> list[OwnChange]:
    groups: dict[tuple[str, bool], list[NodeChange]] = defaultdict(list)
    for one in changes:
        groups[one.node.function, one.node.own].append(one)
    return [_summed_change(name, own, parts) for (name, own), parts in groups.items()]


def _summed_change(name: str, own: bool, parts: list[NodeChange]) -> OwnChange:
    reasons = _merged_reasons([why for one in parts for why in one.reasons])
    return OwnChange(
        name,
        sum((one.amount for one in parts), Fraction(0)),
        sum(one.base for one in parts),
        sum(one.candidate for one in parts),
        tuple(sorted(reasons, key=lambda why: -abs(why.amount))),
        own,
    )


def _merged_reasons(reasons: list[ChangeReason]) -> list[ChangeReason]:
    """Reasons of equal kind and callee added up into one, at the source line of the largest."""
    found: dict[tuple[str, str], ChangeReason] = {}
    for why in sorted(reasons, key=lambda one: -abs(one.amount)):
        known = found.get((why.kind, why.callee))
        if known is None:
            found[why.kind, why.callee] = why
            continue
        counts = known.counts[0] + why.counts[0], known.counts[1] + why.counts[1]
        found[why.kind, why.callee] = replace(
            known, amount=known.amount + why.amount, counts=counts
        )
    return [why for why in found.values() if why.amount]


def _ranked_changes(changes: list[OwnChange], whole: int) -> tuple[OwnChange, ...]:
    """The user's functions first, then library functions that none of them called.

    In each group, changes in the direction of the whole difference come first, the largest first.
    """
    sign = (whole > 0) - (whole < 0)

    def key(one: OwnChange) -> tuple[bool, Fraction, str]:
        weight = one.amount * sign if sign else abs(one.amount)
        return (not one.own, -weight, one.function)

    return tuple(sorted((one for one in changes if one.amount), key=key))


def _moved_without_change(changes: list[NodeChange]) -> list[MovedCost]:
    """Functions that one side alone has, as their code was split off from a caller or put into it.

    Such a function changed nothing by itself: the caller's own code saved or took over its cost.
    """
    found = []
    for one in changes:
        if not one.node.own or one.amount or bool(one.base) == bool(one.candidate):
            continue
        amount = one.candidate or one.base
        how = "split off" if one.candidate else "put into its caller"
        given = sum(_exchanged_cost(other, one.node) for other in changes)
        if 2 * given >= amount:
            found.append(MovedCost(one.node.function, "", amount, how))
    return found


def _exchanged_cost(caller: NodeChange, node: Node) -> Fraction:
    """Instructions of a function that its caller saved in its own code, or took over into it."""
    mine = [why for why in caller.reasons if why.callee == node.function and why.kind != "library"]
    others = [why for why in caller.reasons if why.kind == "itself"]
    if not mine or not others or mine[0].amount * others[0].amount >= 0:
        return Fraction(0)
    return min(abs(mine[0].amount), abs(others[0].amount))


def changes_to_name(found: Attribution) -> tuple[OwnChange, ...]:
    """The user's functions to name: those that changed the instructions of the loop noticeably.

    Changes below a thousandth of the benchmark, or half an instruction an iteration, are left out:
    addresses alone can make those, through a hash of a pointer or an allocator's list. Library
    calls depend more on addresses: `strncmp` of an XML parser's literals did 0.6 % of the whole
    less when the same objects were linked in another order. So a function whose library calls
    alone changed is named from a hundredth on; and, where another function did change, only from
    a tenth of the whole difference: an allocator in another state makes all its callers pay
    (decision 37 measured both on rebuilds of unchanged programs).
    """
    smallest = max(Fraction(found.base, 1000), Fraction(found.iterations, 2))
    told = _changes_from(found, smallest)
    is_known = any(not one.differs_in_libraries_only for one in told)
    least = max(
        Fraction(found.base, 100), Fraction(abs(found.whole) * is_known, _FRACTION_OF_VICTIM)
    )
    return tuple(
        one for one in told if not one.differs_in_libraries_only or abs(one.amount) >= least
    )


def setup_changes_to_name(found: Attribution) -> tuple[OwnChange, ...]:
    """The user's functions that changed a benchmark's set-up noticeably.

    That is by at least a hundredth of its instructions and by 100: what the engine itself does
    outside the loop varies by some hundred.
    """
    return _changes_from(found, max(Fraction(found.base, 100), Fraction(100)))


def _changes_from(found: Attribution, smallest: Fraction) -> tuple[OwnChange, ...]:
    own = [one for one in found.changes if one.own]
    least = max([smallest, *(abs(one.amount) / _FRACTION_TOLD for one in own)])
    told = [one for one in own if abs(one.amount) >= least]
    return tuple(sorted(told, key=lambda one: _is_victim(one, told)))


def _is_victim(change: OwnChange, told: Sequence[OwnChange]) -> bool:
    """Whether only the function's library calls cost more, while another's own code changed.

    Then it suffers from what the other does or leaves out: a log's appends cost more when its
    constructor no longer reserves memory.
    """
    others = (one for one in told if not one.differs_in_libraries_only)
    return change.differs_in_libraries_only and any(
        abs(one.amount) * _FRACTION_OF_VICTIM >= abs(change.amount) for one in others
    )
