"""Gives the calls made inside a symbol to the same inlined functions as in the base.

    candidate = with_callers_added(base, candidate)

Where the compiler mixes instructions of a function and of what is inlined there, debug information
may give a call to either. Where there are as many calls as before, the base's division among the
callers is kept: nothing then says that another caller makes them now.
"""

from collections import Counter, defaultdict

from assay.work import Call, Calls, Node, Work

# The function into which a caller is inlined (whose symbol it is in), and the function it calls.
_Key = tuple[str, Node]


def with_callers_added(base: Work, candidate: Work) -> Work:
    """The candidate's work, with each call given to the inlined function that makes it in the base.

    This is done only where the calls made inside one symbol are as many as before (decision 37).
    """
    before, after = _calls_by_symbol(base), _calls_by_symbol(candidate)
    calls = dict(candidate.calls)
    for key, now in after.items():
        known = before.get(key, {})
        if _callers(known) != _callers(now) and _number_of_calls(known) == _number_of_calls(now):
            for call in now:
                del calls[call]
            calls.update(known)
    return Work(candidate.iterations, candidate.costs, calls)


def _calls_by_symbol(work: Work) -> dict[_Key, dict[Call, Calls]]:
    found: dict[_Key, dict[Call, Calls]] = defaultdict(dict)
    for call, counted in work.calls.items():
        if call.callee.own and len(call.callee.path) == 1 and call.caller.own:
            found[call.caller.path[0], call.callee][call] = counted
    return found


def _callers(calls: dict[Call, Calls]) -> Counter[Node]:
    found: Counter[Node] = Counter()
    for call, counted in calls.items():
        found[call.caller] += counted.times
    return found


def _number_of_calls(calls: dict[Call, Calls]) -> int:
    return sum(one.times for one in calls.values())
