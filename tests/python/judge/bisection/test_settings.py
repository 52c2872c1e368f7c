"""What a file of a search's steps may ask for."""

import msgspec
import pytest

from assay.judge.bisection.settings import SearchSettings

SHARES = ("target", "none", "undone", "several")
SIZES = ("smallest", "layout")
ROUNDS = ("first_rounds", "most_rounds", "budget_rounds")


def is_taken(field: str, value: float) -> bool:
    try:
        msgspec.convert({field: value}, SearchSettings)
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.parametrize("field", SHARES)
def test_a_share_lies_between_nothing_and_all(field: str) -> None:
    assert is_taken(field, 0.001)
    assert is_taken(field, 0.999)
    assert not is_taken(field, 0.0)
    assert not is_taken(field, 1.0)


@pytest.mark.parametrize("field", SIZES)
def test_a_size_lies_between_a_hundredth_of_a_percent_and_twenty_times(field: str) -> None:
    assert is_taken(field, 1e-4)
    assert is_taken(field, 3.0)
    assert not is_taken(field, 0.99e-4)
    assert not is_taken(field, 3.01)


@pytest.mark.parametrize("field", ROUNDS)
def test_there_is_one_round_at_least_and_a_million_at_most(field: str) -> None:
    assert is_taken(field, 1)
    assert is_taken(field, 1_000_000)
    assert not is_taken(field, 0)
    assert not is_taken(field, 1_000_001)


def test_a_build_costs_nothing_or_something() -> None:
    assert is_taken("build_cost", 0.0)
    assert is_taken("build_cost", 1e6)
    assert not is_taken("build_cost", -0.1)
    assert not is_taken("build_cost", 1.1e6)


def test_what_is_asked_for_unless_something_else_is_keeps_all_ranges() -> None:
    plain = msgspec.to_builtins(SearchSettings())
    assert msgspec.convert(plain, SearchSettings) == SearchSettings()
    assert set(plain) == {*SHARES, *SIZES, *ROUNDS, "build_cost"}
