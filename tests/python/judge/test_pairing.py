import math

import pytest
from judging import sample, settings

from assay.errors import InputError
from assay.judge.pairing import pair
from assay.model import Design, Pair, Sample


def paired(base: list[Sample], candidate: list[Sample], **more: object) -> tuple[Pair, ...]:
    options = {"design": Design.INTERLEAVED, "metrics": None, "settings": settings(), **more}
    return pair(base, candidate, **options).pairs  # type: ignore[arg-type]


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
    result = pair(
        [sample("a"), sample("b")],
        [sample("c"), sample("b")],
        design=Design.SEQUENTIAL,
        metrics=None,
        settings=settings(),
    )
    assert (result.only_base, result.only_candidate) == (("a",), ("c",))
    assert {each.benchmark for each in result.pairs} == {"b"}


def test_a_benchmark_never_measured_in_the_same_round_is_told() -> None:
    result = pair(
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
