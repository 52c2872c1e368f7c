"""What a condition costs, in words: one clause for each verdict, and sentences made of them."""

import pytest
from comparisons import row, sometimes
from experiments import COSTS, experiment, found

from assay.judging import Holm
from assay.model import Comparison, Design, Judgement, Settings, Verdict
from assay.overheads import Overhead, Overheads
from assay.remarks import DroppedRounds, RemarkName
from assay.show.words import overhead
from assay.show.words.columns import ColumnKey
from assay.show.words.explain import meanings, paragraphs

SETTINGS = Settings(margin=0.02, alpha=0.01)


def cost(change: float, low: float, high: float, verdict: Verdict) -> Comparison:
    return row(benchmark="exec", change=change, low=low, high=high, verdict=verdict)


def under(condition: str, one: Comparison, reference: str = "undisturbed") -> Overhead:
    return Overhead(reference=reference, condition=condition, comparison=one)


SLOWER = cost(0.055, 0.012, 0.168, Verdict.SLOWER)
SAID = [
    (SLOWER, "costs 5.5 % more under it [1.2, 16.8]."),
    (cost(0.0925, 0.06, 0.127, Verdict.SLOWER), "costs 9.2 % more under it [6.0, 12.7]."),
    (cost(1.0, 0.9, 1.1, Verdict.SLOWER), "costs 100.0 % more under it [90.0, 110.0]."),
    (cost(2.4, 2.381, 2.414, Verdict.SLOWER), "takes 3.4 times as long under it [3.38, 3.41]."),
    (cost(9.5, 9.4, 9.6, Verdict.SLOWER), "takes 10.5 times as long under it [10.4, 10.6]."),
    (
        cost(1234.5, 1200.0, 1300.0, Verdict.SLOWER),
        "takes 1,236 times as long under it [1,201, 1,301].",
    ),
    (cost(1.1, 0.9, 1.3, Verdict.SLOWER), "takes 2.1 times as long under it [1.90, 2.30]."),
    (
        cost(8.994, 8.9949, 8.9951, Verdict.SLOWER),
        "takes 10.0 times as long under it [9.99, 10.0].",
    ),
    (cost(98.9, 98.94, 98.96, Verdict.SLOWER), "takes 99.9 times as long under it [99.9, 100]."),
    (cost(99.0, 98.0, 101.0, Verdict.SLOWER), "takes 100 times as long under it [99.0, 102]."),
    (cost(1e15, 1e15, 1e16, Verdict.SLOWER), "takes 1e+15 times as long under it [1e+15, 1e+16]."),
    (row(change=0.05, low=None, verdict=Verdict.SLOWER), "costs 5.0 % more under it."),
    (row(change=0.05, high=None, verdict=Verdict.SLOWER), "costs 5.0 % more under it."),
    (cost(-0.12, -0.14, -0.1, Verdict.FASTER), "costs 12.0 % less under it [10.0, 14.0]."),
    (cost(0.03, 0.03, 0.03, Verdict.SLOWER), "costs 3.0 % more under it (exact)."),
    (cost(0.001, -0.01, 0.011, Verdict.SAME), "costs the same within 2 % under it."),
    (
        cost(0.03, -0.01, 0.072, Verdict.UNDECIDED),
        "is undecided under it (between 1.0 % less and 7.2 % more).",
    ),
    (
        cost(0.3, 0.005, 1.5, Verdict.UNDECIDED),
        "is undecided under it (between 0.50 % more and 2.5 times as long).",
    ),
    (row(low=None, high=0.1), "has no interval yet under it (too few samples)."),
    (
        row(low=None, high=None, rounds=3, rounds_wanted=13),
        "has no interval yet under it (3 of 13 rounds; about 10 more rounds).",
    ),
    (sometimes(), "costs sometimes more under it (in about 1 of 5 launches, by 30 %)."),
    (row(verdict=Verdict.SOMETIMES_FASTER), "costs sometimes less under it."),
    (cost(0.05, 0.04, 0.06, Verdict.DIFFERENT), "costs 5.0 % more under it [4.0, 6.0]."),
    (cost(0.05, 0.04, 0.06, Verdict.PLACEMENT), "costs 5.0 % more under it [4.0, 6.0]."),
]


@pytest.mark.parametrize(("one", "said"), SAID, ids=[said for _, said in SAID])
def test_each_verdict_has_its_words(one: Comparison, said: str) -> None:
    (clause,) = overhead.clauses([under("it", one)], SETTINGS)
    assert "".join(clause) == said
    assert clause.condition == "it"


def test_every_verdict_is_tried() -> None:
    assert {one.verdict for one, _ in SAID} == set(Verdict)


def test_a_verb_is_not_said_twice_in_a_row() -> None:
    rows = [
        under("bpftrace", SLOWER),
        under("auditd", cost(0.093, 0.06, 0.127, Verdict.SLOWER)),
        under("strace", cost(2.4, 2.38, 2.41, Verdict.SLOWER)),
        under("seccomp", cost(0.0, -0.01, 0.01, Verdict.SAME)),
    ]
    assert overhead.sentence(rows, SETTINGS) == (
        "exec costs 5.5 % more under bpftrace [1.2, 16.8], 9.3 % more under auditd [6.0, 12.7], "
        "takes 3.4 times as long under strace [3.38, 3.41], and costs the same within 2 % under "
        "seccomp."
    )
    assert overhead.sentence(rows[:2], SETTINGS) == (
        "exec costs 5.5 % more under bpftrace [1.2, 16.8] and 9.3 % more under auditd [6.0, 12.7]."
    )


def test_names_of_hostile_programs_are_one_line_and_not_the_longest() -> None:
    one = under("\x1b[31mred\n", SLOWER)
    assert overhead.clauses([one], SETTINGS)[0].condition == "\\x1b[31mred\\x0a"
    assert len(overhead.clauses([under("long" * 999, SLOWER)], SETTINGS)[0].condition) == 50


def of(*rows: Overhead, undisturbed: str = "undisturbed") -> Overheads:
    names = dict.fromkeys([undisturbed, *(row.condition for row in rows)])
    return Overheads(undisturbed=undisturbed, conditions=tuple(names), rows=rows, rounds=68)


def test_the_headline_says_what_was_measured() -> None:
    pair = under("bpftrace", SLOWER), under("auditd", SLOWER)
    said = "exec under bpftrace and auditd, against undisturbed: 68 rounds"
    assert overhead.headline(of(*pair)) == said
    many = [under(f"c{number}", SLOWER) for number in range(7)]
    assert overhead.headline(of(*many)) == "exec under 7 conditions, against undisturbed: 68 rounds"
    assert overhead.headline(of(*many[:6])) == (
        "exec under c0, c1, c2, c3, c4 and c5, against undisturbed: 68 rounds"
    )
    long = under("bpftrace", row(benchmark="b" * 61))
    assert overhead.measured_benchmarks(of(long)) == f"{'b' * 29}…{'b' * 30}"
    other = under("bpftrace", row(benchmark="fork"))
    assert overhead.headline(of(*pair, other)).startswith("2 benchmarks under bpftrace and auditd,")
    three = (*pair, under("strace", SLOWER))
    assert "under bpftrace, auditd and strace, against" in overhead.headline(of(*three))
    assert overhead.headline(of()) == "Nothing could be compared."


def test_a_plan_may_call_the_undisturbed_one_otherwise() -> None:
    assert overhead.against_title(of()) == "Against undisturbed"
    assert overhead.against_title(of(undisturbed="madvise")) == "Against undisturbed (madvise)"


def test_what_the_brackets_and_the_counts_are() -> None:
    assert (
        overhead.meaning_of_brackets(SETTINGS)
        == "In brackets: 99 % intervals, which hold all together."
    )
    assert [overhead.event_count(one) for one in (None, 0, 82_244)] == ["-", "0", "82,244"]
    assert overhead.note_on_left_out(1) == "1 more benchmark is in the table below."
    assert overhead.note_on_left_out(1234) == "1,234 more benchmarks are in the table below."


def test_notes_are_told_once_and_of_what() -> None:
    note = "10 rounds dropped: CPU stolen by the hypervisor"
    every = [under(name, row(notes=(DroppedRounds(10),))) for name in ("a", "b")]
    assert overhead.notes(every) == [f"{note} (in each of the 2 comparisons)"]
    assert overhead.notes(every[:1]) == [f"{note} (a against undisturbed)"]
    rest = [*every, under("c", row())]
    assert overhead.notes(rest) == [f"{note} (a against undisturbed, b against undisturbed)"]
    some = [*every, under("c", row(benchmark="Other"))]
    assert overhead.notes(some) == [f"{note} (B, a against undisturbed, B, b against undisturbed)"]


def test_notes_that_differ_in_a_number_are_one_and_notes_without_one_have_none() -> None:
    first, second = row(notes=(DroppedRounds(1),)), row(notes=(DroppedRounds(3), DroppedRounds(2)))
    assert overhead.notes([under("a", first), under("b", second)]) == [
        "1 to 3 rounds dropped: CPU stolen by the hypervisor "
        "(a against undisturbed, b against undisturbed, b against undisturbed)"
    ]
    zeros = under("a", row(notes=(RemarkName.ZEROS, DroppedRounds(1))))
    assert overhead.notes([zeros]) == [
        "holds zeros: a ratio of them cannot be judged (a against undisturbed)",
        "1 round dropped: CPU stolen by the hypervisor (a against undisturbed)",
    ]


def test_how_it_was_judged_speaks_of_conditions_and_of_no_gate() -> None:
    comparisons = tuple(row(verdict=verdict, design=Design.INTERLEAVED) for verdict in Verdict)
    judgement = Judgement(
        comparisons=comparisons, settings=SETTINGS, control=Holm(family=1, alpha=0.05)
    )
    told = paragraphs(judgement, overhead.DESIGNS)
    assert told[0] == (
        "All conditions were measured in rounds: one launch under each, next to each other in "
        "time, in an order drawn anew, and the undisturbed one is among them. What the host did to "
        "one it mostly did to the others, so the ratio of two launches of a round says more than "
        "either time."
    )
    assert not [line for line in told if "side" in line or "base" in line]
    sometimes_slower = meanings(judgement, overhead.MEANINGS)[2]
    assert sometimes_slower == (
        "sometimes slower: what is usual is not slower, but a share of the launches or of the "
        "samples inside a launch is."
    )


def test_a_whole_experiment_in_a_sentence() -> None:
    sentence = overhead.sentence(found(experiment(COSTS)).against_undisturbed_host, SETTINGS)
    assert sentence == (
        "exec costs 4.9 % more under bpftrace [4.4, 5.3], the same within 2 % under seccomp, and "
        "takes 3.4 times as long under strace [3.38, 3.41]."
    )


def test_the_titles_of_columns_say_which_condition_is_which() -> None:
    both = ColumnKey.BASE, ColumnKey.CANDIDATE
    assert [overhead.AGAINST[key] for key in both] == ["undisturbed", "with it"]
    assert [overhead.EACH_OTHER[key] for key in both] == ["reference takes", "condition takes"]
    assert [overhead.EACH_OTHER_IN_BRIEF[key] for key in both] == ["this", "that"]
    assert overhead.EACH_OTHER_TITLE == "Against each other"
    assert overhead.EACH_OTHER_IN_BRIEF[ColumnKey.CONDITION] == "against each other"
    assert overhead.PROOF == (
        "events: what the proof of a condition counted in the whole run. lost: what it had to drop."
    )
