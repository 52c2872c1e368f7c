"""A comparison's headline, the rows worth showing and how it was judged, for every medium."""

from collections import Counter
from collections.abc import Sequence

from assay.model import Comparison, Judgement, Verdict
from assay.show.words import format, judging, remarks

ORDER = (
    Verdict.SLOWER,
    Verdict.SOMETIMES_SLOWER,
    Verdict.FASTER,
    Verdict.SOMETIMES_FASTER,
    Verdict.DIFFERENT,
    Verdict.PLACEMENT,
    Verdict.SAME,
    Verdict.UNDECIDED,
)

_MORE = {
    Verdict.SLOWER: "more",
    Verdict.FASTER: "fewer",
    Verdict.SOMETIMES_SLOWER: "sometimes more",
    Verdict.SOMETIMES_FASTER: "sometimes fewer",
}
MANY = 50  # of more comparisons, only those that changed are shown
SINGLE = "single: an interval by itself, outside the family of verdicts; no gate asks it"


def primary_metric(comparisons: Sequence[Comparison]) -> str:
    """The metric that the headline counts verdicts of: real_time if it was
    judged, else the first one.
    """
    judged = [one for one in comparisons if not one.single]
    metrics = dict.fromkeys(one.metric for one in judged or comparisons)
    return "real_time" if "real_time" in metrics else next(iter(metrics), "")


def headline(comparisons: Sequence[Comparison]) -> str:
    """Such as 'Of 16 benchmarks 1 is slower, 3 are faster, 12 are the same (real_time).'"""
    metric = primary_metric(comparisons)
    chosen = [one for one in comparisons if one.metric == metric]
    if not chosen:
        return "Nothing could be compared."
    tally = Counter(one.verdict for one in chosen)
    parts = [
        _count_of_verdict(tally[verdict], verdict, metric) for verdict in ORDER if tally[verdict]
    ]
    counted = format.count(len(chosen), "benchmark")
    return f"Of {counted} {', '.join(parts)} ({format.name(metric, 60)})."


def changes_beside_headline(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Changes in metrics other than the headline's.

    A change of cpu_time is left out if the headline's metric has the same verdict.
    """
    metric = primary_metric(comparisons)
    told = {one.benchmark: one.verdict for one in comparisons if one.metric == metric}
    return [
        one
        for one in comparisons
        if one.metric != metric
        and one.verdict.is_change
        and not (one.metric == "cpu_time" and told.get(one.benchmark) == one.verdict)
    ]


def worth_a_row(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """The rows to show: all if they are few, otherwise those that changed."""
    if len(comparisons) < MANY:
        return list(comparisons)
    return [one for one in comparisons if one.verdict.is_change]


def note_on_left_out(comparisons: Sequence[Comparison], shown: Sequence[Comparison]) -> str:
    """'1,020 rows are not shown: 600 the same, 420 undecided (--all shows them)', or empty."""
    rest = Counter(one.verdict for one in comparisons) - Counter(one.verdict for one in shown)
    if not rest:
        return ""
    told = ", ".join(f"{rest[one]:,} {_word(one)}" for one in ORDER if rest[one])
    number = rest.total()
    rows = "1 row is" if number == 1 else f"{number:,} rows are"
    return f"{rows} not shown: {told} (--all shows them)"


def how_judged(judgement: Judgement) -> list[str]:
    """How the verdicts were reached, in plain sentences."""
    lines = [
        f"margin {format.percent(judgement.settings.margin)}: smaller changes count as the same",
        judging.control(judgement.control),
    ]
    lines += [f"intervals: {method}" for method in judging.methods(judgement.comparisons)]
    if any(one.single for one in judgement.comparisons):
        lines.append(SINGLE)
    return lines + remarks.remarks(judgement.notes)


def _count_of_verdict(number: int, verdict: Verdict, metric: str) -> str:
    """Such as '1 is slower'; for instructions, which are no time, '1 takes more'."""
    if metric == "instructions" and verdict in _MORE:
        return f"{number} {'takes' if number == 1 else 'take'} {_MORE[verdict]}"
    return f"{number} {'is' if number == 1 else 'are'} {_word(verdict)}"


def _word(verdict: Verdict) -> str:
    if verdict is Verdict.PLACEMENT:
        return "the same machine code in another place"
    return "the same" if verdict is Verdict.SAME else str(verdict)
