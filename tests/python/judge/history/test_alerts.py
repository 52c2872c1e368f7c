"""Changes of many series that one cause explains are one alert."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.judge.history.alerts import LocatedChange, alerts, confirmation_level


def change(
    series: str, first: int, last: int, certainty: float = 0.9, ratio: float = 1.1
) -> LocatedChange:
    return LocatedChange(series=series, first=first, last=last, ratio=ratio, certainty=certainty)


LOCATED = st.builds(
    lambda name, first, length, certainty, ratio: change(
        name, first, first + length, certainty, ratio
    ),
    st.text("abc", min_size=1, max_size=2),
    st.integers(0, 60),
    st.integers(0, 9),
    st.floats(0.5, 1.0),
    st.floats(0.5, 2.0),
)


def test_ranges_that_overlap_are_one_alert() -> None:
    (one,) = alerts([change("a", 10, 14), change("b", 13, 20), change("c", 12, 13)])
    assert (one.first, one.last) == (13, 13)
    assert len(one.changes) == 3


def test_ranges_apart_are_two() -> None:
    assert len(alerts([change("a", 10, 14), change("b", 15, 20)])) == 2


def test_two_causes_are_not_joined_by_a_change_that_fits_both() -> None:
    told = alerts([change("a", 10, 12, 0.99), change("b", 11, 19, 0.9), change("c", 18, 20, 0.95)])
    assert [[c.series for c in one.changes] for one in told] == [["a", "b"], ["c"]]


def test_the_most_certain_comes_first() -> None:
    told = alerts([change("a", 1, 2, 0.9), change("b", 50, 51, 0.99), change("c", 50, 60, 0.95)])
    assert [one.certainty for one in told] == [0.99, 0.9]
    assert [c.series for c in told[0].changes] == ["b", "c"]


def test_signs_part_nothing_but_are_told() -> None:
    (one,) = alerts([change("a", 5, 6, ratio=1.2), change("b", 5, 6, ratio=0.8)])
    assert (one.number_risen, one.is_one_direction) == (1, False)
    (same,) = alerts([change("a", 5, 6, ratio=0.9), change("b", 5, 6, ratio=0.8)])
    assert (same.number_risen, same.is_one_direction) == (0, True)


@given(st.lists(LOCATED, max_size=25))
def test_every_change_is_in_one_alert_and_can_lie_there(changes: list[LocatedChange]) -> None:
    told = alerts(changes)
    assert sorted(c.first for one in told for c in one.changes) == sorted(c.first for c in changes)
    for one in told:
        assert one.first <= one.last
        assert all(c.first <= one.first and one.last <= c.last for c in one.changes)


@given(st.lists(LOCATED, max_size=25), st.randoms())
def test_the_order_given_makes_no_difference(changes: list[LocatedChange], random: object) -> None:
    mixed = list(changes)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert {(a.first, a.last) for a in alerts(mixed)} == {
        (a.first, a.last) for a in alerts(changes)
    }


def test_many_series_are_confirmed_at_a_stricter_level() -> None:
    assert confirmation_level(1_000) == pytest.approx(0.001)
    assert confirmation_level(1) == 0.05


def test_twenty_series_have_one_false_candidate_a_year() -> None:
    """Up to that many, a confirmation by chance in one of twenty years is rare enough."""
    assert confirmation_level(20) == pytest.approx(0.05)
    assert confirmation_level(40) == pytest.approx(0.025)


def test_of_equally_certain_changes_the_earliest_begins_an_alert() -> None:
    told = alerts([change("b", 7, 9), change("a", 7, 8), change("c", 5, 5)])
    assert [[c.series for c in one.changes] for one in told] == [["c"], ["a", "b"]]


def test_a_level_that_stayed_did_not_rise() -> None:
    (one,) = alerts([change("a", 5, 6, ratio=1.0)])
    assert (one.number_risen, one.is_one_direction) == (0, True)
