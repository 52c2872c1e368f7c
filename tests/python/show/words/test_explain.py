"""How a judgement was made, in the paragraphs of a report."""

import pytest
from comparisons import row

from assay.judging import Holm, MethodName
from assay.model import Comparison, Design, Floor, Judgement, Settings, Verdict
from assay.remarks import SessionNote
from assay.show.words.explain import meanings, paragraphs

DESIGNS = {
    Design.INTERLEAVED: (
        "Both sides were measured in rounds: one launch of each, next to each other in time, in "
        "random order. What the host did to one it mostly did to the other, so a round's ratio "
        "says more than either time."
    ),
    Design.DUET: (
        "Both sides were measured at once, on two CPUs that were swapped each round: whatever "
        "disturbed the host disturbed both."
    ),
    Design.SEQUENTIAL: (
        "One side was measured after the other. The host may have drifted in between; the "
        "intervals allow for that and are wider than those of interleaved rounds would be."
    ),
}
MEANINGS = {
    Verdict.SLOWER: "slower: the whole interval lies beyond the margin, on the worse side.",
    Verdict.FASTER: "faster: the whole interval lies beyond the margin, on the better side.",
    Verdict.SOMETIMES_SLOWER: (
        "sometimes slower: what is usual is not slower, but a share of the launches or of the "
        "samples inside a launch is. A gate fails on it."
    ),
    Verdict.SOMETIMES_FASTER: (
        "sometimes faster: what is usual is not faster, but a share of the launches or of the "
        "samples inside a launch is."
    ),
    Verdict.DIFFERENT: "different: beyond the margin, for a metric that has no better side.",
    Verdict.PLACEMENT: (
        "placement: the time differs, but both sides execute the same machine code on the same "
        "data, which the linker put elsewhere. No change of the code is the reason, and no gate "
        "counts it (--count-placement does)."
    ),
    Verdict.SAME: "same: the whole interval lies inside the margin. Shown, not assumed.",
    Verdict.UNDECIDED: "undecided: the interval reaches across the margin. Nothing is claimed.",
}
MARGIN = "The margin is 2 %: a smaller change is not worth anybody's attention."
CONTROL = "Holm over 1 comparison: at most 5 % chance of any false alarm in the whole suite."
ROUNDS = "Method: rounds, interval valid at every look."
STEAL = (
    "A round in which the hypervisor took more than 10 % of the CPU, and more than twice what it "
    "usually takes here, is not used."
)


def judgement(*comparisons: Comparison, **given: object) -> Judgement:
    return Judgement(
        comparisons=comparisons,
        settings=Settings(margin=0.02),
        control=Holm(family=1, alpha=0.05),
        **given,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("design", Design)
def test_a_plain_judgement_has_five_paragraphs(design: Design) -> None:
    told = paragraphs(judgement(row(design=design), row(design=design)))
    assert told == [DESIGNS[design], MARGIN, CONTROL, ROUNDS, STEAL]


def test_each_design_and_method_is_told_once_in_the_order_in_which_it_is_met() -> None:
    exact = row(design=Design.SEQUENTIAL, method=MethodName.EXACT)
    assert paragraphs(judgement(exact, row(), exact)) == [
        DESIGNS[Design.SEQUENTIAL],
        DESIGNS[Design.INTERLEAVED],
        MARGIN,
        CONTROL,
        "Method: exact: the count does not vary.",
        ROUNDS,
        STEAL,
    ]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("this session", "this session"),
        ("s" * 200, "s" * 200),
        ("s" * 201, f"{'s' * 99}…{'s' * 100}"),
    ],
)
def test_single_intervals_the_floor_and_notes_are_told_where_there_are_any(
    source: str, shown: str
) -> None:
    floor = Floor(effect=0.013, drift=0.12, rounds=20, benchmarks=3, source=source)
    one = judgement(row(), row(single=True), floor=floor, notes=(SessionNote("a note"),))
    assert paragraphs(one) == [
        DESIGNS[Design.INTERLEAVED],
        MARGIN,
        CONTROL,
        ROUNDS,
        "Single: an interval by itself, outside the family of verdicts; no gate asks it.",
        "The same program against itself shows changes of up to 1.3 % here "
        f"({shown}); between one half of the session and the other it drifted by up to 12 %.",
        STEAL,
        "a note",
    ]


def test_a_report_may_tell_other_designs() -> None:
    assert paragraphs(judgement(row()), {Design.INTERLEAVED: "In turns."})[0] == "In turns."


def test_the_meanings_of_the_verdicts_that_occur_are_told() -> None:
    every = [row(verdict=verdict) for verdict in Verdict]
    assert meanings(judgement(*every)) == list(MEANINGS.values())
    assert meanings(judgement()) == []
    for verdict, meaning in MEANINGS.items():
        assert meanings(judgement(row(verdict=verdict), row(verdict=verdict))) == [meaning]
    assert meanings(judgement(row(verdict=Verdict.SAME)), {Verdict.SAME: "alike"}) == ["alike"]
