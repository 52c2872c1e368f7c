"""How a judgement was made, in the words that are printed and kept."""

import pytest
from comparisons import row

from assay.judging import Drift, Holm, Method, MethodName, NothingCanDiffer, OneAfterTheOther
from assay.show.export import comparison_json
from assay.show.words import judging

METHODS: dict[Method, str] = {
    MethodName.ROUNDS: "rounds, interval valid at every look",
    MethodName.ROUNDS_OVER_LINKS: (
        "rounds over several links, interval for the code wherever it is placed"
    ),
    MethodName.EXACT: "exact: the count does not vary",
    MethodName.EXACT_SO_FAR: (
        "so far: the count did not vary yet, in too few launches to call it exact"
    ),
    MethodName.REPEATED: "exact: every launch counts the same",
    MethodName.NEARLY_REPEATED: (
        "counted: the launches of a side differ by less than a tenth of the margin"
    ),
    MethodName.REPEATED_SO_FAR: "so far: a change is told when a few more launches repeat it",
    MethodName.IDENTITY: "identity: both sides are the same program",
    MethodName.NOT_JUDGED: "not judged",
    OneAfterTheOther(Drift(0.12)): "one after the other, drift of 12% allowed for (assumed)",
    OneAfterTheOther(Drift(0.03, "A/A of today")): (
        "one after the other, drift of 3% allowed for (A/A of today)"
    ),
}
HOLM = "at most 5 % chance of any false alarm in the whole suite"


def test_a_promise_of_rounds() -> None:
    assert judging.control(Holm(family=1, alpha=0.05)) == f"Holm over 1 comparison: {HOLM}"
    many = judging.control(Holm(family=12_000, alpha=0.05))
    assert many == f"Holm over 12000 comparisons: {HOLM}"


def test_a_promise_about_two_files_names_its_condition() -> None:
    for drift, said in ((Drift(0.12), "assumed"), (Drift(0.12, "A against A"), "A against A")):
        assert judging.control(Holm(family=2, alpha=0.05, drift=drift)) == (
            f"Holm over 2 comparisons: {HOLM}, if no time moved by more than 12 % ({said}) "
            "between the files, whether the host drifted or a process was placed elsewhere"
        )


def test_one_program_twice_cannot_differ() -> None:
    said = judging.control(NothingCanDiffer())
    assert said == "no chance of a false alarm: nothing can differ"


def test_every_method_is_known_here() -> None:
    assert set(MethodName) <= set(METHODS)


@pytest.mark.parametrize(("made", "said"), METHODS.items(), ids=map(str, range(len(METHODS))))
def test_a_method_is_said_and_kept_in_these_words(made: Method, said: str) -> None:
    assert judging.method(made) == said
    assert comparison_json.row(row(method=made))["method"] == said


def test_methods_that_read_alike_are_said_once() -> None:
    alike = [row(method=OneAfterTheOther(Drift(size))) for size in (0.121, 0.122)]
    told = judging.methods([row(), *alike, row()])
    assert told == [METHODS[MethodName.ROUNDS], METHODS[OneAfterTheOther(Drift(0.12))]]
