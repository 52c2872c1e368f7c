"""Who takes more of the time, in rounds made by chance of a known truth."""

import numpy as np
import pytest
from msgspec.structs import replace
from sampled_rounds import CALM, NOISES, Noise, Truth, made

from assay.judge.attribution.shares import least_rounds, time_by_function
from assay.timed import (
    OTHERS,
    WAITING,
    Instructions,
    Round,
    Sampled,
    SampleSpot,
    Timed,
    TimeInterval,
)

BASE = {"parse": 500.0, "find": 300.0, "hash": 150.0, "copy": 50.0}
ROUNDS = 24


def judged(noise: Noise = CALM, *, seed: int = 7, rounds: int = ROUNDS, **changed: float) -> Timed:
    truth = Truth(BASE, {**BASE, **changed})
    return time_by_function(made(truth, rounds, noise, np.random.default_rng(seed)), "made")


def test_the_function_that_takes_more_is_named_with_an_interval_around_the_truth() -> None:
    found = judged(find=360.0)
    (one,) = found.told
    assert one.function == "find"
    assert one.change.low is not None
    assert one.change.high is not None
    assert 0 < one.change.low < 60_000_000 < one.change.high
    assert one.base.low is not None
    assert one.base.high is not None
    assert one.base.low < 300_000_000 < one.base.high
    assert found.whole.is_change
    assert found.candidate - found.base == found.whole.amount


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES.keys())
def test_parts_add_up_to_the_whole_exactly(noise: Noise) -> None:
    found = judged(noise, find=330.0, hash=140.0, copy=0.0)
    parts = sum(one.change.amount for one in found.changes)
    assert parts + found.unexplained == found.whole.amount
    assert isinstance(found.whole.amount, int)
    assert abs(found.unexplained) < 20_000_000


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["samples alone", "heavy tails", "busy host"])
def test_the_same_program_names_nothing(name: str, seed: int) -> None:
    found = judged(NOISES[name], seed=seed)
    assert found.told == ()
    assert found.moved == ()


def test_cost_that_moved_is_said_to_have_moved() -> None:
    found = judged(parse=420.0, copy=130.0)
    (moved,) = found.moved
    assert (moved.function, moved.into) == ("parse", "copy")
    assert moved.amount == pytest.approx(80_000_000, rel=0.2)
    assert found.told == ()
    assert not found.whole.is_change


def test_what_only_moved_in_part_is_told() -> None:
    found = judged(parse=460.0, copy=170.0)
    assert found.moved == ()
    assert [one.function for one in found.told] == ["copy", "parse"]


def test_a_function_that_is_new_and_one_that_is_gone() -> None:
    truth = Truth({**BASE, "old": 100.0, "new": 0.0}, {**BASE, "old": 0.0, "new": 150.0})
    found = time_by_function(made(truth, ROUNDS, CALM, np.random.default_rng(3)), "made")
    assert {one.function for one in found.told} == {"new", "old"}
    gone = next(one for one in found.told if one.function == "old")
    assert gone.candidate.amount == 0
    assert gone.change.amount == pytest.approx(-100_000_000, rel=0.1)


def test_too_few_rounds_have_no_interval_and_name_nothing() -> None:
    found = judged(find=900.0, rounds=least_rounds(len(BASE) + 2) - 1)
    assert all(one.change.low is None for one in found.changes)
    assert found.told == ()
    assert judged(find=900.0, rounds=least_rounds(len(BASE) + 2)).told


def test_waiting_counts_only_where_it_has_changed() -> None:
    rounds = made(Truth(BASE, BASE), ROUNDS, CALM, np.random.default_rng(5))
    assert not time_by_function(rounds, "made").has_waiting

    def waits(one: Sampled) -> Sampled:
        return replace(one, iteration_s=one.iteration_s + 200e-9)

    found = time_by_function([Round(base, waits(candidate)) for base, candidate in rounds], "made")
    assert found.has_waiting
    assert [one.function for one in found.told] == [WAITING]
    assert found.whole.amount == pytest.approx(200_000_000, rel=0.1)


def test_what_is_seldom_is_together_and_still_adds_up() -> None:
    many = {f"f{number}": 1.0 for number in range(300)}
    truth = Truth({**BASE, **many}, {**BASE, **many})
    found = time_by_function(made(truth, ROUNDS, CALM, np.random.default_rng(5)), "made")
    assert {one.function for one in found.changes} == {*BASE, OTHERS}
    others = next(one for one in found.changes if one.function == OTHERS)
    assert others.base.amount == pytest.approx(300_000_000, rel=0.1)


def test_a_library_is_told_below_who_calls_it() -> None:
    def launch(copies: int) -> Sampled:
        spots = {
            SampleSpot("find"): 700,
            SampleSpot("find", "memmove"): copies,
            SampleSpot("main"): 100,
        }
        return Sampled(sum(spots.values()) * 1e-9, sum(spots.values()) * 1e-9, spots)

    random = np.random.default_rng(2)
    rounds = [Round(*(launch(n + int(random.integers(9))) for n in (100, 200))) for _ in range(40)]
    (one,) = time_by_function(rounds, "made").told
    assert one.function == "find"
    assert [part.callee for part in one.below] == ["memmove"]


def test_the_same_instructions_in_another_time() -> None:
    rounds = made(Truth(BASE, {**BASE, "find": 360.0}), ROUNDS, CALM, np.random.default_rng(7))
    same, more = Instructions(50_000, 50_001), Instructions(50_000, 60_000)
    assert time_by_function(rounds, "made", work={"find": same}).told[0].same_work
    assert not time_by_function(rounds, "made", work={"find": more}).told[0].same_work
    assert not time_by_function(rounds, "made").told[0].same_work


def test_intervals_of_shares_hold_the_truth() -> None:
    """A small part of benchmarks/why_coverage.py."""
    held = missed = 0
    for seed in range(12):
        found = judged(NOISES["heavy tails"], seed=100 + seed)
        parts = sum(BASE.values())
        for one in found.changes:
            if one.function in BASE:
                truth = BASE[one.function] / parts * found.base
                assert one.base.low is not None
                assert one.base.high is not None
                inside = one.base.low <= truth <= one.base.high
                held, missed = held + inside, missed + (not inside)
    assert held + missed == 48
    assert missed <= 3


def test_a_span_without_ends_is_no_change() -> None:
    assert not TimeInterval(5, None, None).is_change
    assert TimeInterval(5, 1, 9).is_change
    assert TimeInterval(-5, -9, -1).is_change
    assert not TimeInterval(5, -1, 9).is_change


def steady(base: dict[str, int], candidate: dict[str, int], rounds: int = 30) -> Timed:
    """Rounds without any noise: a name 'f>g' is a library function g that f calls; amounts are
    the weights of samples, and nanoseconds of an iteration."""

    def launch(side: dict[str, int]) -> Sampled:
        spots = {SampleSpot(*name.split(">")): weight for name, weight in side.items()}
        return Sampled(sum(side.values()) * 1e-9, sum(side.values()) * 1e-9, spots)

    return time_by_function([Round(launch(base), launch(candidate))] * rounds, "made")


def test_a_change_of_a_five_hundredth_of_the_iteration_is_named() -> None:
    for more, named in ((21, ["f"]), (19, []), (-21, ["f"]), (-19, [])):
        found = steady({"f": 5000, "g": 5000}, {"f": 5000 + more, "g": 5000})
        assert [one.function for one in found.told] == named
        assert found.whole.amount == pytest.approx(more * 10**6, rel=1e-3)
        assert found.base == pytest.approx(10_000 * 10**6, rel=1e-3)


def test_a_function_is_judged_alone_from_half_a_percent_of_the_time_on() -> None:
    def alone(weight: int) -> bool:
        side = {"f": weight, "g": 10_000 - weight}
        return "f" in [one.function for one in steady(side, side, rounds=1).changes]

    assert alone(50)
    assert not alone(49)


def test_forty_functions_are_judged_alone_those_seen_most() -> None:
    side = {f"f{number}": 1000 - number for number in range(41)}
    found = steady(side, {**side, "f40": 0})
    assert len(found.changes) == 41
    assert [one.function for one in found.told] == [OTHERS]
    assert found.told[0].change.amount == pytest.approx(-960 * 10**6, rel=1e-3)


def test_a_callee_is_named_from_a_tenth_of_the_change_on() -> None:
    base = {"main": 1000, "f": 1000, "f>copy": 1000, "f>free": 1000}
    found = steady(base, {**base, "f>copy": 1910, "f>free": 1102})
    (one,) = found.told
    assert [(part.callee, round(part.amount / 10**6)) for part in one.below] == [
        ("copy", 910),
        ("free", 102),
    ]
    (one,) = steady(base, {**base, "f>copy": 1910, "f>free": 1099}).told
    assert [part.callee for part in one.below] == ["copy"]
    (plain,) = steady({"f": 1000, "g": 1000}, {"f": 1500, "g": 1000}).told
    assert plain.below == ()


def test_a_library_function_is_another_than_the_users_of_that_name() -> None:
    def launch(mine: int, theirs: int) -> Sampled:
        spots = {SampleSpot("f"): mine, SampleSpot("f", "", own=False): theirs}
        return Sampled((mine + theirs) * 1e-9, (mine + theirs) * 1e-9, spots)

    rounds = [Round(launch(500, 500), launch(500, 900))] * 30
    known = Instructions(7, 9)
    found = time_by_function(rounds, "made", work={"f": known})
    (one,) = found.told
    assert (one.own, one.instructions) == (False, None)
    assert [each.instructions for each in found.changes if each.own] == [known]


def test_several_threads_use_no_more_than_the_iteration_takes() -> None:
    one = Sampled(100e-9, 400e-9, {SampleSpot("f"): 9})
    found = time_by_function([Round(one, one)] * 30, "made")
    assert found.base == pytest.approx(100 * 10**6, rel=1e-6)
    assert found.waiting.change.amount == 0


def test_waiting_is_what_the_iteration_takes_beside_its_time_on_a_cpu() -> None:
    base = Sampled(100e-9, 60e-9, {SampleSpot("f"): 9})
    candidate = Sampled(180e-9, 60e-9, {SampleSpot("f"): 9})
    found = time_by_function([Round(base, candidate)] * 30, "made")
    assert found.waiting.base.amount == pytest.approx(40 * 10**6, rel=1e-6)
    assert found.waiting.change.amount == pytest.approx(80 * 10**6, rel=1e-6)
    assert found.has_waiting
    assert found.base == pytest.approx(100 * 10**6, rel=1e-6)
    assert [one.function for one in found.told] == [WAITING]


def test_changes_in_the_direction_of_the_whole_come_first() -> None:
    base = {"a": 1000, "b": 1000, "c": 1000, "d": 1000}
    slower = steady(base, {"a": 1400, "b": 1100, "c": 820, "d": 1100})
    assert [one.function for one in slower.changes][:3] == ["a", "b", "d"]
    faster = steady(base, {"a": 700, "b": 1000, "c": 1050, "d": 900})
    assert [one.function for one in faster.told] == ["a", "d", "c"]
    moved = steady(base, {"a": 900, "b": 1200, "c": 900, "d": 1000})
    assert [one.function for one in moved.changes][:3] == ["b", "a", "c"]


def test_stacks_of_all_rounds_are_added_up() -> None:
    spots = {SampleSpot("f"): 9}
    base = Sampled(1e-9, 1e-9, spots, {("main", "f"): 2})
    candidate = Sampled(1e-9, 1e-9, spots, {("main", "f"): 3, ("main",): 1})
    found = time_by_function([Round(base, candidate)] * 4, "made").stacks
    assert (found.base, found.candidate) == ({("main", "f"): 8}, {("main", "f"): 12, ("main",): 4})


def test_launches_without_a_sample_tell_nothing() -> None:
    empty = Sampled(1e-9, 1e-9, {})
    found = time_by_function([Round(empty, empty)] * 30, "made")
    assert (found.told, found.base) == ((), 0)


def test_more_functions_take_more_rounds() -> None:
    assert least_rounds(0) == least_rounds(1) <= least_rounds(2) < least_rounds(40)
    assert least_rounds(1, alpha=0.001) > least_rounds(1)
