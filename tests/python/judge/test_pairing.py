import math

import pytest
from judging import sample, settings

from assay.errors import InputError
from assay.judge.pairing import pair_sides
from assay.model import Design, Pair, Sample


def paired(base: list[Sample], candidate: list[Sample], **more: object) -> tuple[Pair, ...]:
    options = {"design": Design.INTERLEAVED, "metrics": None, "settings": settings(), **more}
    return pair_sides(base, candidate, **options).pairs  # type: ignore[arg-type]


def test_rounds_are_matched_by_number_not_by_order() -> None:
    base = [
        sample(real=(1.0,), round=0),
        sample(real=(2.0,), round=1),
        sample(real=(3.0,), round=2),
    ]
    candidate = [sample(real=(30.0,), round=2), sample(real=(10.0,), round=0)]
    made = paired(base, candidate)[0]
    assert made.base.launches == ((1.0,), (3.0,))
    assert made.candidate.launches == ((10.0,), (30.0,))


def test_a_round_with_stolen_time_is_dropped_on_both_sides() -> None:
    base = [sample(real=(float(i),), round=i, steal=0.5 if i == 1 else 0.0) for i in (0, 1, 2)]
    candidate = [sample(real=(float(i),), round=i, steal=0.10) for i in (0, 1, 2)]
    made = paired(base, candidate)[0]
    assert made.base.launches == ((0.0,), (2.0,))
    assert made.dropped_rounds == 1


def stolen_from(*shares: float) -> int:
    """How many of these rounds are dropped."""
    base = [sample(round=i, steal=share) for i, share in enumerate(shares)]
    candidate = [sample(round=i, steal=None) for i in range(len(shares))]
    return paired(base, candidate)[0].dropped_rounds


def test_a_host_that_always_steals_keeps_its_usual_rounds() -> None:
    assert stolen_from(0.3) == 0
    assert stolen_from(*[0.3] * 12, 0.5, 0.7) == 1
    assert stolen_from(0.0, 0.0, 0.0, 0.0, 0.3, 0.3) == 2
    assert stolen_from(*[0.0] * 6, *[0.3] * 20) == 20  # the first six say what is usual


def test_order_within_a_round_is_kept() -> None:
    base = [sample(round=0, position=0), sample(round=1, position=1)]
    candidate = [sample(round=0, position=1), sample(round=1, position=0)]
    assert paired(base, candidate)[0].base_first == (True, False)


def test_a_duet_keeps_which_side_had_the_first_cpu() -> None:
    base = [sample(round=0, cpu=0), sample(round=1, cpu=1)]
    candidate = [sample(round=0, cpu=1), sample(round=1, cpu=0)]
    made = paired(base, candidate, design=Design.DUET)[0]
    assert made.base_first == (True, False)
    assert made.design is Design.DUET


def test_rows_of_one_file_are_one_launch() -> None:
    base = [sample(real=(1.0,)), sample(real=(2.0,))]
    candidate = [sample(real=(3.0,), launch=0), sample(real=(4.0,), launch=1)]
    made = paired(base, candidate, design=Design.SEQUENTIAL)[0]
    assert made.base.launches == ((1.0, 2.0),)
    assert made.candidate.launches == ((3.0,), (4.0,))


def test_names_on_one_side_only_are_told() -> None:
    result = pair_sides(
        [sample("a"), sample("b")],
        [sample("c"), sample("b")],
        design=Design.SEQUENTIAL,
        metrics=None,
        settings=settings(),
    )
    assert (result.only_base, result.only_candidate) == (("a",), ("c",))
    assert {each.benchmark for each in result.pairs} == {"b"}


def test_a_benchmark_never_measured_in_the_same_round_is_told() -> None:
    result = pair_sides(
        [sample("a", round=0)],
        [sample("a", round=1)],
        design=Design.INTERLEAVED,
        metrics=None,
        settings=settings(),
    )
    assert (result.pairs, result.unmatched) == ((), ("a",))


def test_result_follows_the_base_file() -> None:
    made = paired([sample("b"), sample("a")], [sample("a"), sample("b")], design=Design.SEQUENTIAL)
    assert [each.benchmark for each in made] == ["b", "b", "a", "a"]
    assert [each.metric for each in made] == ["real_time", "cpu_time"] * 2


def test_time_units_are_brought_to_the_base_sides() -> None:
    base = [sample(real=(1500.0,), time_unit="us")]
    candidate = [sample(real=(3.0,), time_unit="ms")]
    made = paired(base, candidate, design=Design.SEQUENTIAL)[0]
    assert made.candidate.launches == ((3000.0,),)
    assert made.candidate.unit == made.base.unit == "us"


def test_equal_time_units_leave_numbers_alone() -> None:
    odd = math.pi * 1e-7
    made = paired([sample(real=(odd,))], [sample(real=(odd,))], design=Design.SEQUENTIAL)[0]
    assert made.base.launches == made.candidate.launches == ((odd,),)


def test_every_metric_both_sides_have_comes_after_the_times() -> None:
    values = {"allocs": (1.0,), "cpu_time": (1.0,), "real_time": (1.0,), "only_here": (1.0,)}
    base = [Sample(benchmark="a", values=values)]
    candidate = [Sample(benchmark="a", values={k: values[k] for k in values if k != "only_here"})]
    made = paired(base, candidate, design=Design.SEQUENTIAL)
    assert [each.metric for each in made] == ["real_time", "cpu_time", "allocs"]


def test_a_counter_in_another_unit_than_time_is_not_converted() -> None:
    base = [Sample(benchmark="a", values={"allocs": (2.0,)}, time_unit="us")]
    candidate = [Sample(benchmark="a", values={"allocs": (2.0,)}, time_unit="ms")]
    made = paired(base, candidate, design=Design.SEQUENTIAL)[0]
    assert made.candidate.launches == ((2.0,),)


def test_a_metric_nobody_has_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="'nonsense'"):
        paired([sample()], [sample()], design=Design.SEQUENTIAL, metrics=("real_time", "nonsense"))


def test_each_round_has_the_autocorrelation_that_was_known_when_it_began() -> None:
    base = [sample(round=i, launch=2 * i) for i in range(4)]
    candidate = [sample(round=i, launch=2 * i + 1) for i in range(4)]
    known = [(2, None), (4, 0.2), (7, 0.4)]
    made = paired(base, candidate, autocorrelations=known)[0]
    assert made.autocorrelations == pytest.approx((math.nan, math.nan, 0.2, 0.2), nan_ok=True)
    assert paired(base, candidate)[0].autocorrelations == ()


def test_the_first_six_rounds_say_what_is_usual() -> None:
    """Half of the six lose 30 %: twice their median is as much, and so no more is dropped."""
    assert stolen_from(*[0.0] * 3, *[0.3] * 3, 0.3, 0.5) == 1
    assert stolen_from(*[0.0] * 3, *[0.3] * 3, 0.3) == 0


def test_a_round_without_one_metric_is_left_out_of_that_metric_alone() -> None:
    def side(numbers: list[int], lacks: int) -> list[Sample]:
        return [
            Sample(
                benchmark="a",
                values={"real_time": (float(n),), "allocs": () if n == lacks else (float(n),)},
                round=n,
                position=n % 2,
            )
            for n in numbers
        ]

    times, counts = paired(side([1, 2, 3, 4], 2), side([1, 2, 3, 4], 3))
    assert times.base.launches == ((1.0,), (2.0,), (3.0,), (4.0,))
    assert counts.base.launches == counts.candidate.launches == ((1.0,), (4.0,))
    assert len(counts.base_first) == 2


def test_each_round_has_the_pair_of_links_that_it_ran() -> None:
    base = [sample(round=number, steal=0.9 if number == 5 else 0.0) for number in (4, 5, 6)]
    candidate = [sample(round=number) for number in (4, 5, 6)]
    asked: list[tuple[str, int]] = []

    def placement(name: str, number: int) -> int:
        asked.append((name, number))
        return number * 10

    made, *_ = paired(base, candidate, placement=placement, metrics=("real_time",))
    assert made.placements == (40, 60)
    assert asked == [("B", 4), ("B", 6)]
    assert paired(base, candidate)[0].placements == ()


@pytest.mark.parametrize(
    ("base", "candidate", "first"),
    [
        ({"started_s": 1.0}, {"started_s": 2.0}, True),
        ({"started_s": 2.0}, {"started_s": 1.0}, False),
        ({"started_s": 0.5}, {"started_s": 0.5}, True),
        ({}, {"started_s": 0.5}, True),
        ({"started_s": 0.5}, {}, False),
        ({"position": 1, "started_s": 1.0}, {"started_s": 2.0}, True),
        ({"position": 0, "cpu": 3}, {"position": 1, "cpu": 2}, True),
        ({"position": 0, "cpu": 3}, {"position": 0, "cpu": 2}, False),
        ({"position": 0, "cpu": 3}, {"position": 0}, False),
    ],
)
def test_which_side_was_first_is_told_by_cpu_position_or_time(
    base: dict[str, float], candidate: dict[str, float], first: bool
) -> None:
    one, other = sample(round=0, **base), sample(round=0, **candidate)
    assert paired([one], [other])[0].base_first == (first,)


def test_rows_of_a_launch_may_have_other_units() -> None:
    base = [sample(real=(1.0,), time_unit="us"), sample(real=(2.0,), time_unit="ms")]
    made = paired(base, base, design=Design.SEQUENTIAL)[0]
    assert made.base.launches == ((1.0, 2000.0),)
    counts = [
        Sample(benchmark="a", values={"allocs": (float(n),)}, time_unit=unit)
        for n, unit in ((1, "us"), (2, "ms"))
    ]
    assert paired(counts, counts, design=Design.SEQUENTIAL)[0].base.launches == ((1.0, 2.0),)


def test_metrics_that_are_asked_for_come_in_that_order() -> None:
    values = {"allocs": (1.0,), "cpu_time": (1.0,), "real_time": (1.0,)}
    both = [Sample(benchmark="a", values=values)]
    made = paired(both, both, design=Design.SEQUENTIAL, metrics=("allocs", "real_time"))
    assert [each.metric for each in made] == ["allocs", "real_time"]
    assert made[0].base.unit != made[1].base.unit == "ns"


def test_where_nothing_is_paired_no_metric_is_missed() -> None:
    assert paired([sample("a")], [sample("b")], metrics=("nonsense",)) == ()
    with pytest.raises(InputError) as error:
        paired([sample()], [sample()], metrics=("real_time", "nonsense"))
    assert error.value.hint == "there are cpu_time, real_time"


def test_rows_without_rounds_are_paired_by_their_place() -> None:
    base, candidate = ([sample(real=(value,)) for value in side] for side in ((1.0, 2.0), (3.0,)))
    made = paired(base, candidate)[0]
    assert (made.base.launches, made.candidate.launches) == (((1.0,),), ((3.0,),))
