"""What a sweep says of each of its points."""

from assay.judge.labs.sweeps import sweep_points
from assay.model import Sample

NAME = "stx/zipf 0.99/uniform/threads:16/lookup"


def sample(name: str, *rates: float) -> Sample:
    values = {"items_per_second": rates} if rates else {"real_time": (1.0,)}
    return Sample(benchmark=name, values=values)


def test_a_point_has_the_range_and_the_middle_of_its_launches() -> None:
    (point,) = sweep_points([sample(NAME, 5.0, 1.0), sample(NAME, 4.0), sample(NAME, 2.0)])
    assert (point.plugin, point.setting) == ("stx", "zipf 0.99/uniform")
    assert (point.threads, point.operation, point.benchmark) == (16, "lookup", NAME)
    assert (point.least, point.middle, point.most, point.launches) == (1.0, 3.0, 5.0, 4)


def test_other_names_and_samples_without_a_rate_are_left_out() -> None:
    assert sweep_points([sample("BM_plain", 1.0), sample(NAME)]) == ()
