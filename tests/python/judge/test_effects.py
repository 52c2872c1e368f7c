"""What is said of a pair of which nothing but the centre was looked at."""

from assay.judge.effects import FindingsBesideCentre


def test_where_nothing_was_found_nothing_speaks_against_the_same() -> None:
    nothing = FindingsBesideCentre()
    assert nothing.calm
    assert (nothing.findings, nothing.scatter, nothing.rounds_to_calm) == ((), None, 0.0)
