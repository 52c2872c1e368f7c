"""How a judgement was made, in the words that are printed and kept."""

from assay.judging import Drift, Holm, NothingCanDiffer
from assay.show.words import judging

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
