"""The level of each benchmark in a run of one program."""

import pytest

from assay.judge.labs.levels import level_metric, levels
from assay.model import Sample


def sample(value: float, metric: str = "real_time", **others: tuple[float, ...]) -> Sample:
    return Sample(benchmark="b", values={metric: (value,), **others}, time_unit="us")


def test_the_median_of_launches_and_their_spread() -> None:
    (level,) = levels([sample(value) for value in (10.0, 50.0, 20.0, 30.0, 40.0)])
    assert (level.benchmark, level.unit, level.launches) == ("b", "us", 5)
    assert (level.real, level.cpu) == (30.0, None)
    assert level.spread == pytest.approx((40.0 - 20.0) / 30.0)


def test_a_spread_takes_three_launches_and_a_time() -> None:
    assert levels([sample(1.0), sample(2.0)])[0].spread is None
    assert levels([sample(1.0), sample(2.0), sample(3.0)])[0].spread == pytest.approx(0.5)
    assert levels([sample(0.0)] * 3)[0].spread is None


def test_cpu_time_has_its_own_median() -> None:
    (level,) = levels([sample(10.0, cpu_time=(one,)) for one in (4.0, 6.0, 7.0)])
    assert level.cpu == 6.0


def test_instructions_are_summed_up_where_nothing_else_was_measured() -> None:
    counted = [sample(value, "instructions") for value in (5.0, 7.0, 9.0)]
    (level,) = levels(counted)
    assert (level.real, level.unit) == (7.0, "1")
    assert level_metric(counted) == "instructions"
    assert level_metric([*counted, sample(1.0)]) == "real_time"
    assert level_metric([sample(1.0, instructions=(2.0,))]) == "real_time"
    assert level_metric([]) == "real_time"


def test_samples_without_times_have_no_level() -> None:
    assert levels([Sample(benchmark="b", values={})]) == ()
