"""How one error level is shared."""

from msgspec.structs import astuple

from assay.judge.share import BY_ITSELF, COUNTS, FAILED_LAUNCHES, IN_FAMILY, REPEATABLE


def test_all_that_is_asked_of_a_pair_in_a_family_has_the_whole_level() -> None:
    assert round(sum(astuple(IN_FAMILY)) + COUNTS + FAILED_LAUNCHES, 12) == 1.0


def test_by_itself_the_interval_has_all_of_it() -> None:
    assert astuple(BY_ITSELF) == (1.0, 0.0, 0.0, 0.0, 0.0)


def test_counts_that_should_repeat_have_as_much_as_all_that_does_not() -> None:
    assert REPEATABLE == 1.0 - REPEATABLE
