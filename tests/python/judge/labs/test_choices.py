from assay.judge.labs.choices import choices
from assay.model import Choice, Sample


def _samples(times: dict[str, float], unit: str = "ns") -> list[Sample]:
    return [
        Sample(
            benchmark=name,
            values={"real_time": (time, time * 1.01)},
            time_unit=unit,
            label="thread-safe"
            if "Safe" in name
            else "single-threaded"
            if "Single" in name
            else "",
        )
        for name, time in times.items()
    ]


def _only(times: dict[str, float]) -> Choice:
    (choice,) = choices(_samples(times), dict.fromkeys(times, "group"))
    return choice


def test_the_fastest_its_lead_and_what_safety_costs() -> None:
    choice = _only({"bench_c<T::Raw>": 1, "bench_c<T::Single>": 2, "bench_c<T::Safe>": 9})
    assert (choice.group, choice.operation, choice.case) == ("group", "c", "")
    (contest,) = choice.contests
    assert [one.member for one in contest.standings] == ["Raw", "Single", "Safe"]
    assert contest.lead == 2
    assert contest.safety == 4.5
    assert choice.takes == ((None, "Raw"),)


def test_without_two_kinds_safety_has_no_cost() -> None:
    assert _only({"bench_c<T::Raw>": 1, "bench_c<T::Safe>": 9}).contests[0].safety is None


def test_crossovers_by_size_and_not_by_a_lead_that_is_none() -> None:
    a = {8: 1.0, 64: 10.0, 512: 100.0, 4096: 1000.0}
    b = {8: 5.0, 64: 9.8, 512: 60.0, 4096: 950.0}
    c = {8: 5.0, 64: 9.9, 512: 99.0, 4096: 940.0}
    times = {
        f"bench_h<H::{member}>/size:{size}": time
        for member, sizes in (("A", a), ("B", b), ("C", c))
        for size, time in sizes.items()
    }
    assert _only(times).takes == ((8.0, "A"), (512.0, "B"))


def test_cases_and_conditions_are_chosen_apart() -> None:
    times = {
        f"bench_s<S::{member}, Threads::{threads}>/items:{items}/size:{size}": float(items * size)
        for member in "AB"
        for threads in ("One", "Two")
        for items in (1, 65536)
        for size in (1, 64)
    }
    made = choices(_samples(times), dict.fromkeys(times, "stream"))
    assert [one.case for one in made] == [
        "Threads::One, items 1",
        "Threads::One, items 65,536",
        "Threads::Two, items 1",
        "Threads::Two, items 65,536",
    ]
    assert [contest.size for contest in made[0].contests] == [1.0, 64.0]


def test_units_are_not_mixed_up() -> None:
    samples = _samples({"f<A>": 2.0}, "us") + _samples({"f<B>": 900.0}, "ns")
    (choice,) = choices(samples, {})
    assert choice.takes == ((None, "B"),)


def test_where_there_is_nothing_to_choose_there_is_no_choice() -> None:
    assert choices(_samples({"f<A>": 1, "plain": 2, "g<B>": 3}), {}) == ()


def test_a_lead_of_a_twentieth_is_none() -> None:
    """The winner of a size stays the same until another is faster by more than 5 %."""

    def takes(second: float) -> tuple[tuple[float | None, str], ...]:
        times = {
            "f<A>/size:1": 1.0, "f<B>/size:1": 2.0, "f<A>/size:2": second, "f<B>/size:2": 100.0
        }  # fmt: skip
        return _only(times).takes

    assert takes(105.0) == ((1.0, "A"),)
    assert takes(105.1) == ((1.0, "A"), (2.0, "B"))


def test_a_winner_that_is_missing_at_a_size_does_not_win_there() -> None:
    times = {f"f<{member}>/size:1": time for member, time in (("A", 1.0), ("B", 2.0))}
    times |= {f"f<{member}>/size:2": time for member, time in (("C", 9.0), ("B", 5.0))}
    assert _only(times).takes == ((1.0, "A"), (2.0, "B"))


def test_a_size_with_one_member_is_no_contest_and_sizes_are_in_order() -> None:
    times = {"f<A>/size:9": 1.0, "f<B>/size:9": 2.0, "f<A>/size:1": 1.0, "f<B>/size:1": 2.0}
    times["f<A>/size:5"] = 1.0
    assert [contest.size for contest in _only(times).contests] == [1.0, 9.0]


def test_two_times_of_nothing_have_no_ratio() -> None:
    (contest,) = _only({"bench_c<T::Single>": 0.0, "bench_c<T::Safe>": 0.5}).contests
    assert (contest.lead, contest.safety) == (None, None)
    (contest,) = _only({"bench_c<T::Single>": 0.5, "bench_c<T::Safe>": 0.75}).contests
    assert (contest.lead, contest.safety) == (1.5, 1.5)
    assert _only({"bench_c<T::Raw>": 1, "bench_c<T::Single>": 9}).contests[0].safety is None
