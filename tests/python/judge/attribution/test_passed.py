"""Time that one function lost and another gained."""

from assay.judge.attribution.passed import without_moved_time
from assay.timed import OTHERS, WAITING, MovedTime, TimeChange, TimeInterval


def change(name: str, amount: int) -> TimeChange:
    nothing = TimeInterval(0, 0, 0)
    return TimeChange(name, True, nothing, nothing, TimeInterval(amount, amount, amount))


def told(**amounts: int) -> tuple[tuple[MovedTime, ...], list[str]]:
    moved, left = without_moved_time([change(name, amount) for name, amount in amounts.items()])
    return moved, [one.function for one in left]


def test_a_loss_and_a_gain_that_differ_by_a_quarter_of_the_smaller_cancel() -> None:
    assert told(f=-100, g=125) == ((MovedTime("f", "g", 100),), [])
    assert told(f=-125, g=100) == ((MovedTime("f", "g", 100),), [])
    assert told(f=-100, g=126) == ((), ["g", "f"])
    assert told(f=-126, g=100) == ((), ["f", "g"])
    assert told(f=100, g=125) == ((), ["g", "f"])
    assert told(f=-1, g=1) == ((MovedTime("f", "g", 1),), [])
    assert told(f=-100, g=0) == ((), ["f", "g"])


def test_each_loss_goes_to_the_gain_that_is_closest_the_largest_first() -> None:
    moved, left = told(f=-100, g=110, h=98, i=-97, j=5)
    assert moved == (MovedTime("f", "h", 98), MovedTime("i", "g", 97))
    assert left == ["j"]


def test_waiting_and_what_is_seen_seldom_are_no_functions() -> None:
    for other in (OTHERS, WAITING):
        for amounts in ({"f": -100, other: 100}, {"f": 100, other: -100}):
            moved, left = told(**amounts)
            assert (moved, len(left)) == ((), 2)
