"""The headline of a comparison, its rows left out, and how it was judged."""

from comparisons import comparison, row

from assay.judging import Holm
from assay.model import Comparison, Judgement, Settings, Verdict
from assay.show.words import summary


def verdicts(*told: Verdict, metric: str = "real_time") -> list[Comparison]:
    return [row(verdict=one, metric=metric) for one in told]


def test_a_headline_counts_each_verdict_the_worst_first() -> None:
    told = verdicts(Verdict.SAME, Verdict.FASTER, Verdict.UNDECIDED, Verdict.SLOWER, Verdict.SAME)
    assert summary.headline(told) == (
        "Of 5 benchmarks 1 is slower, 1 is faster, 2 are the same, 1 is undecided (real_time)."
    )
    rare = (Verdict.PLACEMENT, Verdict.SOMETIMES_SLOWER, Verdict.SOMETIMES_FASTER)
    assert summary.headline(verdicts(*rare, Verdict.DIFFERENT)) == (
        "Of 4 benchmarks 1 is sometimes slower, 1 is sometimes faster, 1 is different, "
        "1 is the same machine code in another place (real_time)."
    )


def test_instructions_are_no_time() -> None:
    told = (Verdict.SLOWER, Verdict.FASTER, Verdict.FASTER, Verdict.SAME)
    assert summary.headline(verdicts(*told, metric="instructions")) == (
        "Of 4 benchmarks 1 takes more, 2 take fewer, 1 is the same (instructions)."
    )
    rare = (Verdict.SOMETIMES_SLOWER, Verdict.SOMETIMES_FASTER)
    assert summary.headline(verdicts(*rare, metric="instructions")) == (
        "Of 2 benchmarks 1 takes sometimes more, 1 takes sometimes fewer (instructions)."
    )


def test_nothing_compared() -> None:
    assert summary.headline([]) == "Nothing could be compared."
    assert summary.primary_metric([]) == ""


def test_the_headline_counts_real_time_else_the_first_metric_in_the_family() -> None:
    first, time = row(metric="branches"), row(metric="real_time")
    assert summary.primary_metric([first, time]) == "real_time"
    assert summary.primary_metric([first, row(metric="cycles")]) == "branches"
    assert summary.primary_metric([row(metric="cycles", single=True), first]) == "branches"
    assert summary.primary_metric([row(metric="cycles", single=True)]) == "cycles"


def test_cpu_time_is_not_told_twice() -> None:
    time = row(verdict=Verdict.SLOWER)
    alike, other = (row(metric="cpu_time", verdict=one) for one in (Verdict.SLOWER, Verdict.FASTER))
    cycles, same = (row(metric="cycles", verdict=one) for one in (Verdict.SLOWER, Verdict.SAME))
    told = [time, alike, other, cycles, same]
    assert summary.changes_beside_headline(told) == [other, cycles]


def test_of_fifty_rows_only_the_changes_are_shown() -> None:
    slower, same = row(verdict=Verdict.SLOWER), row(verdict=Verdict.SAME)
    few = [slower, *[same] * 48]
    assert summary.worth_a_row(few) == few
    assert summary.worth_a_row([*few, same]) == [slower]


def test_rows_left_out_are_counted() -> None:
    told = verdicts(*[Verdict.SAME] * 1200, *[Verdict.UNDECIDED] * 2, Verdict.SLOWER)
    assert summary.note_on_left_out(told, told[-1:]) == (
        "1,202 rows are not shown: 1,200 the same, 2 undecided (--all shows them)"
    )
    assert summary.note_on_left_out(told[:1], []) == (
        "1 row is not shown: 1 the same (--all shows them)"
    )
    assert summary.note_on_left_out(told, told) == ""


def test_how_it_was_judged() -> None:
    promise = Holm(family=1, alpha=0.05)
    judged = Judgement(
        comparisons=(comparison(0.03, (0.02, 0.04)), comparison(0.0, (0.0, 0.0), single=True)),
        settings=Settings(margin=0.02),
        control=promise,
    )
    assert summary.how_judged(judged) == [
        "margin 2 %: smaller changes count as the same",
        "Holm over 1 comparison: at most 5 % chance of any false alarm in the whole suite",
        "intervals: rounds, interval valid at every look",
        "single: an interval by itself, outside the family of verdicts; no gate asks it",
    ]
