"""From two amounts of work to the functions whose own change explains the difference.

found = attribute(base.loop, candidate.loop)
found.changes[0].function       'Wal::append(char const*)'
found.unexplained               0
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from fractions import Fraction

from assay.errors import InputError
from assay.judge.attribution.cancelling import joined
from assay.judge.attribution.folded import Graph, fold
from assay.judge.attribution.matching import matched
from assay.judge.attribution.own_change import NodeChange, own_changes
from assay.judge.attribution.settled import settle_both
from assay.work import Attribution, Moved, Node, OwnChange, Place, Why, Work

_FRACTION_OF_VICTIM = 10  # of a victim's change: who changes less is not to blame for it
_FRACTION_TOLD = 50  # of the largest change: what is smaller explains nothing


def attribute(
    base: Work,
    candidate: Work,
    known: Collection[str] = (),
    like: tuple[Work, Work] | None = None,
) -> Attribution:
    """Those that explain most come first. Both sides must have done the same iterations.

    `known` are functions that both have, although they cost nothing in one. `like`: functions
    are recognised by this work of both sides, where what is attributed says too little.
    """
    if base.iterations != candidate.iterations:
        raise InputError(f"{base.iterations} iterations against {candidate.iterations}")
    both = matched(base, candidate, like)
    ours, theirs = fold(both.base), fold(both.candidate)
    if like:
        alike = matched(*like)
        settle_both(ours, theirs, alike.called, (fold(alike.base), fold(alike.candidate)))
    else:
        settle_both(ours, theirs, both.called)
    _put_known(ours, theirs, known)
    changes = own_changes(ours, theirs)
    whole = candidate.total - base.total
    related = {frozenset((a.function, b.function)) for a, b in (*ours.calls, *theirs.calls)}
    by_function, passed = joined(_by_function(changes), whole, related)
    return Attribution(
        base.iterations,
        base.total,
        candidate.total,
        _ranked(by_function, whole),
        (*both.moved, *_neutral(changes), *passed),
    )


def _put_known(base: Graph, candidate: Graph, known: Collection[str]) -> None:
    """Functions that are there for nothing: what they cost in the other is their own change."""
    ours = {node.function for node in base.nodes()}
    theirs = {node.function for node in candidate.nodes()}
    for node in candidate.nodes():
        if node.function in known and node.function not in ours:
            base.entered[node] = max(1, candidate.entered.get(node, 0))
    for caller, node in list(base.calls):
        if node.function in known and node.function not in theirs and len(node.path) > 1:
            candidate.call(caller, node, base.calls[caller, node], Place())
            candidate.entered[node] = base.entered[node]


def _by_function(changes: list[NodeChange]) -> list[OwnChange]:
    groups: dict[tuple[str, bool], list[NodeChange]] = defaultdict(list)
    for one in changes:
        groups[one.node.function, one.node.own].append(one)
    return [_together(name, own, parts) for (name, own), parts in groups.items()]


def _together(name: str, own: bool, parts: list[NodeChange]) -> OwnChange:
    reasons = _merged([why for one in parts for why in one.reasons])
    return OwnChange(
        name,
        sum((one.amount for one in parts), Fraction(0)),
        sum(one.base for one in parts),
        sum(one.candidate for one in parts),
        tuple(sorted(reasons, key=lambda why: -abs(why.amount))),
        own,
    )


def _merged(reasons: list[Why]) -> list[Why]:
    """One of each kind and callee, at the place of the largest."""
    found: dict[tuple[str, str], Why] = {}
    for why in sorted(reasons, key=lambda one: -abs(one.amount)):
        known = found.get((why.kind, why.callee))
        if known is None:
            found[why.kind, why.callee] = why
            continue
        counts = known.counts[0] + why.counts[0], known.counts[1] + why.counts[1]
        found[why.kind, why.callee] = known._replace(
            amount=known.amount + why.amount, counts=counts
        )
    return [why for why in found.values() if why.amount]


def _ranked(changes: list[OwnChange], whole: int) -> tuple[OwnChange, ...]:
    """In the direction of the whole first; functions of the user before what nobody called."""
    sign = (whole > 0) - (whole < 0)

    def key(one: OwnChange) -> tuple[bool, Fraction, str]:
        weight = one.amount * sign if sign else abs(one.amount)
        return (not one.own, -weight, one.function)

    return tuple(sorted((one for one in changes if one.amount), key=key))


def _neutral(changes: list[NodeChange]) -> list[Moved]:
    """Functions that only one side has, whose cost the caller had, or has now."""
    found = []
    for one in changes:
        if not one.node.own or one.amount or bool(one.base) == bool(one.candidate):
            continue
        amount = one.candidate or one.base
        how = "split off" if one.candidate else "put into its caller"
        given = sum(_given(other, one.node) for other in changes)
        if 2 * given >= amount:
            found.append(Moved(one.node.function, "", amount, how))
    return found


def _given(caller: NodeChange, node: Node) -> Fraction:
    """How much of a function's cost a caller saved, or took over, elsewhere in itself."""
    mine = [why for why in caller.reasons if why.callee == node.function and why.kind != "library"]
    others = [why for why in caller.reasons if why.kind == "itself"]
    if not mine or not others or mine[0].amount * others[0].amount >= 0:
        return Fraction(0)
    return min(abs(mine[0].amount), abs(others[0].amount))


def worth_telling(found: Attribution) -> tuple[OwnChange, ...]:
    """Functions that changed the work of the loop noticeably; none where nothing did.

    A thousandth of the benchmark is what addresses alone can make: a hash of a pointer, an
    allocator's list. What libraries do for the same calls depends on addresses more: `strncmp` of
    an XML parser's literals did 0.6 % of the whole less when the same objects were linked in
    another order. Of that, a hundredth counts; and a tenth of what the benchmark does more, where
    somebody did change: an allocator in another state makes all its callers pay.
    """
    smallest = max(Fraction(found.base, 1000), Fraction(found.iterations, 2))
    told = _worth(found, smallest)
    is_known = any(not one.does_the_same for one in told)
    least = max(
        Fraction(found.base, 100), Fraction(abs(found.whole) * is_known, _FRACTION_OF_VICTIM)
    )
    return tuple(one for one in told if not one.does_the_same or abs(one.amount) >= least)


def worth_telling_setup(found: Attribution) -> tuple[OwnChange, ...]:
    """The same of what is done once: the engine's own work there varies by some hundred."""
    return _worth(found, max(Fraction(found.base, 100), Fraction(100)))


def _worth(found: Attribution, smallest: Fraction) -> tuple[OwnChange, ...]:
    own = [one for one in found.changes if one.own]
    largest = max((abs(one.amount) for one in own), default=Fraction(0))
    told = [one for one in own if abs(one.amount) >= max(smallest, largest / _FRACTION_TOLD)]
    return tuple(sorted(told, key=lambda one: _is_victim(one, told)))


def _is_victim(change: OwnChange, told: Sequence[OwnChange]) -> bool:
    """It does what it did, but what it calls costs more: of what somebody else did, or left out."""
    others = (one for one in told if not one.does_the_same)
    return change.does_the_same and any(
        abs(one.amount) * _FRACTION_OF_VICTIM >= abs(change.amount) for one in others
    )
