"""The result of `assay trust` in sentences and rows, for the terminal and the page."""

from collections.abc import Iterator, Sequence
from itertools import islice

from assay.show.words import format
from assay.trust import CountedShare, Injection, Tries, Trust, TryVerdict, VerdictOutcome

TITLES = ("compared with", "suites", "margin", "should be", "was", "wrong", "undecided")
TOLD_TITLES = ("benchmark", "slowed by", "change", "interval", "verdict", "rounds")
_MOST_NAMES = 5
# If copies got slower than asked by more than this factor, other programs delayed them as well.
_MUCH_MORE = 1.25


def headline(trust: Trust) -> str:
    """The most important result: how often a verdict on a copy of the program was wrong."""
    copy = copies(trust)
    if copy is None or not copy.wrong.of:
        return "Nothing can be said yet: no comparison with a copy came to an end."
    if copy.wrong.count:
        return (
            f"{copy.wrong.count} of {copy.wrong.of} verdicts on a copy of the program called it "
            "changed, which it is not."
        )
    if not copy.right.count:
        return (
            f"Nothing can be said yet: none of {copy.wrong.of} verdicts on a copy of the program "
            "was decided in the time there was."
        )
    return (
        f"None of {copy.wrong.of} verdicts on a copy of the program called it changed; "
        f"{copy.right.count} called it the same."
    )


def copies(trust: Trust) -> Tries | None:
    """The comparisons of the program with a copy that was not slowed; None if there are none."""
    return next((one for one in trust.tries if not one.injected), None)


def row(tries: Tries) -> tuple[str, ...]:
    """A row of the table of comparisons, one for each slowdown; `TITLES` has its columns."""
    what = f"itself, {format.percent(tries.injected)} slower" if tries.injected else "its copy"
    return (
        what,
        f"{tries.comparisons:,}",
        format.percent(tries.margin),
        "slower" if tries.injected else "same",
        share(tries.right),
        share(tries.wrong),
        share(tries.open, with_interval=False),
    )


def share(one: CountedShare, *, with_interval: bool = True) -> str:
    """A counted share with its interval, such as '19 of 20 (75 .. 100 %)'."""
    if not one.of or not with_interval:
        return f"{one.count} of {one.of}"
    return f"{one.count} of {one.of} ({_points(one.low)} .. {_points(one.high)} %)"


def sentences(trust: Trust) -> Iterator[str]:
    """Sentences on what the table of tries does not show, the most important first."""
    yield from _what_is_missing(trust)
    yield from _wrong_verdicts(trust)
    yield from _undecided_verdicts(trust)
    yield from _injections(trust)
    yield from _coverage(trust)
    yield _floor(trust)
    yield _placement(trust)


def how_obtained(trust: Trust) -> Iterator[str]:
    """Lines on how the result was obtained: benchmarks, time, seed, how slowdowns were made."""
    spent, budget = format.duration(trust.spent_s), format.duration(trust.budget_s)
    yield (
        f"{trust.looked_at:,} of {format.count(trust.benchmarks, 'benchmark')} in {spent} of "
        f"{budget}, seed {trust.seed}; a share's interval holds the true one with 95 % confidence"
    )
    if trust.how:
        yield f"slowdowns are made {trust.how}"
    yield (
        "both sides execute the same machine code, which a comparison would find and then call no "
        "difference a change: here times alone decided, as they do where code did change"
    )
    small = [one for one in trust.tries if one.injected and one.margin < trust.margin]
    if small:
        listed = _list_in_words([format.percent(one.injected) for one in small])
        yield (
            f"a slowdown of {listed} is asked for with a smaller margin: at "
            f"{format.percent(trust.margin)} one next to it is called slower by no comparison"
        )
    yield from trust.notes


def cells_of_verdict(one: TryVerdict, injected: float) -> tuple[str, ...]:
    """A row of the table of verdicts, one for each benchmark; `TOLD_TITLES` has its columns."""
    change = "-" if one.change is None else format.change(one.change)
    added = "-" if one.added is None else format.change(one.added)
    return (
        format.name(one.benchmark),
        added if injected else "-",
        change,
        format.interval(one.low, one.high),
        str(one.verdict),
        str(one.rounds),
    )


def _what_is_missing(trust: Trust) -> Iterator[str]:
    if trust.why_not_slowed:
        yield f"Nothing is known of what would be found: {trust.why_not_slowed}."
    elif {*trust.slowdowns} - {one.injected for one in trust.tries}:
        yield "There was no time for every slowdown: give more with --budget."
    if trust.looked_at < trust.benchmarks:
        benchmarks = format.count(trust.benchmarks, "benchmark")
        were = "was" if trust.looked_at == 1 else "were"
        yield (
            f"{trust.looked_at:,} of {benchmarks} {were} looked at, drawn by lot; "
            "a larger --budget looks at more."
        )


def _wrong_verdicts(trust: Trust) -> Iterator[str]:
    copy = copies(trust)
    if copy is not None and copy.wrong_suites.of:
        suites = copy.wrong_suites
        yield (
            f"Promised is that at most {format.percent(trust.alpha)} of suites have any false "
            f"verdict; here it was {share(suites)}."
        )
    for tries in trust.tries:
        if wrong := [one for one in tries.told if one.answer is VerdictOutcome.WRONG]:
            yield f"Wrong, {_compared_with(tries)}: {_benchmarks_in_words(wrong)}."


def _undecided_verdicts(trust: Trust) -> Iterator[str]:
    for tries in trust.tries:
        if missed := [one for one in tries.told if one.answer is VerdictOutcome.OPEN]:
            yield f"Undecided, {_compared_with(tries)}: {_benchmarks_in_words(missed)}."


def _injections(trust: Trust) -> Iterator[str]:
    for tries in trust.tries:
        if tries.injected and tries.injection is not None:
            yield _injection(tries.injected, tries.injection)
        if tries.injected and tries.injection is None:
            yield f"{format.percent(tries.injected)} slower: no benchmark was reached by the delay."


def _injection(injected: float, seen: Injection) -> str:
    least, most = (f"{100 * one:.2f}" for one in (seen.least, seen.most))
    text = f"{format.percent(injected)} slower, checked: the delays were {least} to {most} % of "
    text += "what ran"
    if seen.most > _MUCH_MORE * injected:
        text += " (more than was asked for where other programs had the CPU meanwhile)"
    if seen.seen is not None:
        text += f", and the times reported changed by {format.change(seen.seen)} in the median"
    if seen.not_slowed:
        names = _list_in_words([format.name(one, 40) for one in seen.not_slowed])
        text += f"; it did not reach, and so does not count, {names}"
    return f"{text}."


def _coverage(trust: Trust) -> Iterator[str]:
    count = sum(one.covered.count for one in trust.tries)
    of = sum(one.covered.of for one in trust.tries)
    if of:
        yield f"{count:,} of {format.count(of, 'interval')} hold what is true."


def _floor(trust: Trust) -> str:
    if trust.floor is None:
        return "The floor of this host is not known: there were too few rounds."
    rounds, floor = format.count(trust.floor_rounds, "round"), trust.floor
    half = f", in half of the benchmarks {_spread(floor.median)}"
    return (
        f"The floor: after {rounds} noise reaches {_spread(floor.most)} "
        f"({format.name(floor.worst, 60)}){half if floor.benchmarks > 1 else ''}."
    )


def _placement(trust: Trust) -> str:
    placement, spread = trust.placement, trust.placement.spread
    if not placement.links:
        return f"What placement does to its times is not known: {placement.why_not}."
    if spread is None:
        return "What placement does to its times is not known: there were too few rounds."
    half = f" and by {_spread(spread.median)} in the median of {spread.benchmarks}"
    how = f"(standard deviations, of {placement.links} links)"
    return (
        f"Placement: two links of the same code, functions in random orders, differ by "
        f"{_spread(spread.most)} in {format.name(spread.worst, 60)}"
        f"{half if spread.benchmarks > 1 else ''} {how}."
    )


def _spread(fraction: float) -> str:
    return format.percent(fraction) if fraction < 1.0 else "more than 100 %"


def _compared_with(tries: Tries) -> str:
    return f"{format.percent(tries.injected)} slower" if tries.injected else "with a copy"


def _benchmarks_in_words(every: Sequence[TryVerdict]) -> str:
    """The benchmarks of some verdicts in a line, each once with its last verdict."""
    last = {one.benchmark: one for one in every}
    texts = [
        f"{format.name(name, 40)} ({_verdict_in_words(one)})"
        for name, one in islice(last.items(), _MOST_NAMES)
    ]
    return _list_in_words(texts, len(last))


def _verdict_in_words(one: TryVerdict) -> str:
    if one.low is None or one.high is None:
        return f"{format.count(one.rounds, 'round')}, too few"
    said = "" if one.answer is VerdictOutcome.OPEN else f"{one.verdict}, "
    return f"{said}{format.interval(one.low, one.high)}"


def _list_in_words(texts: Sequence[str], of: int | None = None) -> str:
    shown = texts[:_MOST_NAMES]
    more = (of or len(texts)) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _points(fraction: float) -> str:
    return f"{100 * fraction:.0f}"
