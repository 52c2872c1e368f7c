"""Which function of one build is which of the other.

    both = matched_work(base, candidate)
    both.base, both.candidate, both.moved

The same name is the same function. Of names that one side alone has, a changed signature is
recognised by the name before the parameters, a changed name by its letters. The result has the
base's names on both sides, and one node for a function that is inlined elsewhere than before.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from difflib import SequenceMatcher

import msgspec

from assay.judge.attribution.callers import with_callers_added
from assay.work import Call, Calls, MovedCost, Node, Place, Work

# No decision names these four. The first two bound the time.
_COMPARED = 60  # unmatched functions that are compared with the other side's: the costliest
_LONGEST = 200  # letters of a name that are compared
_ALIKE = 0.75  # share of equal letters (difflib's ratio): names that differ in a word or a number
_MOST_TIMES = 4  # a function that was renamed costs at most this many times as much, or as little


class MatchedWork(msgspec.Struct, frozen=True):
    """Instructions of both sides with functions named as in the base.

    `moved` are functions that were recognised under another name, or inlined elsewhere.
    """

    base: Work
    candidate: Work
    moved: tuple[MovedCost, ...]
    # Of the functions inlined elsewhere than before: those that the base inlines nowhere, but only
    # calls; and those that the candidate only calls.
    called: tuple[frozenset[Node], frozenset[Node]] = (frozenset(), frozenset())


def matched_work(base: Work, candidate: Work, like: tuple[Work, Work] | None = None) -> MatchedWork:
    """The work of both sides with the base's names; the totals stay as they are (decision 37).

    `like`: by which work of both sides renamed functions are recognised, if not by these two.
    """
    base, candidate = _with_whole_names(base, candidate)
    names = renamed_functions(*(_with_whole_names(*like) if like else (base, candidate)))
    amounts = _cost_by_function(candidate)
    moved = [MovedCost(old, new, amounts[new], "renamed") for new, old in names.items()]
    candidate = _with_nodes(candidate, lambda node: _renamed_node(node, names))
    candidate = with_callers_added(base, candidate)
    strayed, elsewhere, called = _inlined_elsewhere(base, candidate)
    return MatchedWork(
        _with_nodes(base, lambda node: strayed.get(node, node)),
        _with_nodes(candidate, lambda node: strayed.get(node, node)),
        (*moved, *elsewhere),
        called,
    )


def _with_whole_names(*sides: Work) -> list[Work]:
    """The works with whole names: debug information calls an inlined function 'trimmed' whose
    symbol is 'a::trimmed(int)'. A short name that fits one symbol only stands for that one.
    """
    fitting: dict[str, set[str]] = defaultdict(set)
    for side in sides:
        for name in _cost_by_function(side):
            if "(" in name:
                fitting[_last_name_part(name)].add(name)
    full = {short: next(iter(names)) for short, names in fitting.items() if len(names) == 1}
    return [_with_nodes(one, lambda node: _renamed_node(node, full)) for one in sides]


def _last_name_part(name: str) -> str:
    """The last part of a name: 'trimmed' of 'a::trimmed(int)'."""
    return _stem(name).rpartition("::")[2].rpartition(" ")[2]


def renamed_functions(base: Work, candidate: Work) -> dict[str, str]:
    """The base's name by the candidate's, of functions whose name changed.

    Names are compared by their letters, among functions of about the same cost.
    """
    ours, theirs = _cost_by_function(base), _cost_by_function(candidate)
    gone = [name for name in ours if name not in theirs]
    new = [name for name in theirs if name not in ours]
    found = _changed_signatures(gone, new)
    left = [name for name in gone if name not in found.values()][:_COMPARED]
    for name in [one for one in new if one not in found][:_COMPARED]:
        alike = [one for one in left if _is_similar_cost(ours[one], theirs[name])]
        best = max(alike, key=lambda one: _name_similarity(one, name), default=None)
        if best is not None and _name_similarity(best, name) >= _ALIKE:
            found[name] = best
            left.remove(best)
    return found


def _changed_signatures(gone: Iterable[str], new: Iterable[str]) -> dict[str, str]:
    """The base's name by the candidate's, of functions whose parameters alone changed.

    Overloads are left out: on each side only one function may have the name without parameters.
    """
    olds, news = _names_by_stem(gone), _names_by_stem(new)
    return {
        names[0]: olds[stem][0]
        for stem, names in news.items()
        if len(names) == 1 and len(olds.get(stem, ())) == 1
    }


def _names_by_stem(names: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        found[_stem(name)].append(name)
    return found


def _stem(name: str) -> str:
    """A name without parameters: 'Wal::append' of 'Wal::append(char const*)'."""
    start = len("(anonymous namespace)") if name.startswith("(anonymous namespace)") else 0
    end = name.find("(", start)
    return name if end <= 0 else name[:end]


def _is_similar_cost(one: int, other: int) -> bool:
    return max(one, other) <= _MOST_TIMES * max(1, min(one, other))


def _name_similarity(one: str, other: str) -> float:
    stems = _stem(one)[:_LONGEST], _stem(other)[:_LONGEST]
    return SequenceMatcher(None, *stems, autojunk=False).ratio()


def _cost_by_function(work: Work) -> dict[str, int]:
    """What each of the user's functions costs, dearest first."""
    found: Counter[str] = Counter()
    for (node, _), cost in work.costs.items():
        if node.own:
            found[node.function] += cost
    return dict(found.most_common())


def _renamed_node(node: Node, names: Mapping[str, str]) -> Node:
    return Node(tuple(names.get(name, name) for name in node.path), node.own)


_Strayed = tuple[dict[Node, Node], list[MovedCost], tuple[frozenset[Node], frozenset[Node]]]


def _inlined_elsewhere(base: Work, candidate: Work) -> _Strayed:
    """Functions that each side inlines at a place where the other does not, as one node each.

    Returns the common node by original node, what moved, and the nodes that each side only calls:
    there the number of entries is a count, not an estimate.
    """
    ours, theirs = _own_nodes(base), _own_nodes(candidate)
    gone, new = (
        _nodes_by_name(ours.keys() - theirs.keys()),
        _nodes_by_name(theirs.keys() - ours.keys()),
    )
    found: dict[Node, Node] = {}
    moved = []
    for name in sorted(gone.keys() & new.keys()):
        for node in (*gone[name], *new[name]):
            found[node] = Node(("", name), own=True)
        amount = sum(theirs[node] for node in new[name])
        into = next((node.path[-2] for node in new[name] if len(node.path) > 1), "")
        moved.append(MovedCost(name, into, amount, "inlined" if into else "called"))
    return found, moved, (_called_functions(gone, found), _called_functions(new, found))


def _called_functions(
    nodes: Mapping[str, list[Node]], strayed: Mapping[Node, Node]
) -> frozenset[Node]:
    """Of the functions in `nodes`, which are of one side, those that this side inlines nowhere."""
    every = (some for some in nodes.values() if all(len(one.path) == 1 for one in some))
    return frozenset(strayed[one] for some in every for one in some if one in strayed)


def _own_nodes(work: Work) -> dict[Node, int]:
    """The user's functions with their own instructions: 0 where one only calls others."""
    found: dict[Node, int] = defaultdict(int)
    for call in work.calls:
        for node in (call.caller, call.callee):
            if node.own:
                found[node] += 0
    for (node, _), cost in work.costs.items():
        if node.own:
            found[node] += cost
    return dict(found)


def _nodes_by_name(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = defaultdict(list)
    for node in sorted(nodes):
        found[node.function].append(node)
    return found


def _with_nodes(work: Work, name: Callable[[Node], Node]) -> Work:
    """A copy of `work` with each node replaced by `name(node)`; costs of equal nodes are added."""
    costs: dict[tuple[Node, Place], int] = defaultdict(int)
    for (node, place), cost in work.costs.items():
        costs[name(node), place] += cost
    calls: dict[Call, Calls] = {}
    for call, (count, inclusive) in work.calls.items():
        to = Call(name(call.caller), call.place, name(call.callee))
        known = calls.get(to, Calls(0, 0))
        calls[to] = Calls(known.times + count, known.inclusive + inclusive)
    return Work(work.iterations, dict(costs), calls)
