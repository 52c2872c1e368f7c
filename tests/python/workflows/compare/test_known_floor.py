"""The floor that goes with a comparison is of the metrics it is about."""

from pathlib import Path

import numpy as np
import pytest

from assay.model import Design, Floor, Record, Sample, Settings, Side
from assay.record import floor_cache
from assay.remarks import BelowFloor
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare import known_floor
from assay.workflows.compare.result import CompareResult, judge_sides, samples_of_side


def record() -> Record:
    """40 rounds in which cpu_time scatters by 10 % and real_time by half a percent."""
    rng = np.random.default_rng(1)
    samples = [
        Sample(
            benchmark=name,
            values={
                "real_time": (100.0 * float(np.exp(0.005 * rng.standard_normal())),),
                "cpu_time": (100.0 * float(np.exp(0.1 * rng.standard_normal())),),
            },
            side=side,
            round=number,
            position=place,
            launch=2 * number + place,
        )
        for name in ("BM_a", "BM_b")
        for number in range(40)
        for place, side in enumerate((Side.BASE, Side.CANDIDATE))
    ]
    return Record(context={}, facts={"design": str(Design.INTERLEAVED)}, samples=tuple(samples))


def compared(*metrics: str) -> CompareResult:
    known, plan = (
        record(),
        ComparePlan("old", "new", settings=Settings(margin=0.01), metrics=metrics),
    )
    return judge_sides(
        plan, samples_of_side(known, Side.BASE), samples_of_side(known, Side.CANDIDATE), known
    )


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_a_metric_that_is_not_judged_raises_no_floor() -> None:
    result = compared()
    assert {one.metric for one in result.judgement.comparisons} == {"real_time", "cpu_time"}
    assert result.judgement.floor is not None
    assert result.judgement.floor.effect < 0.01
    assert not any(isinstance(note, BelowFloor) for note in result.judgement.notes)


def test_where_it_is_asked_for_it_does() -> None:
    result = compared("real_time", "cpu_time")
    assert result.judgement.floor is not None
    assert result.judgement.floor.effect > 0.03
    (found,) = [note for note in result.judgement.notes if isinstance(note, BelowFloor)]
    assert (found.margin, found.above, found.benchmarks) == (0.01, 2, 2)


def test_a_kept_floor_of_real_time_is_none_of_cpu_time() -> None:
    kept = Floor(effect=0.2, drift=0.1, rounds=20, benchmarks=2, source="A against A")
    floor_cache.save_floor(
        kept, floor_cache.floor_key_of(known_floor.read_facts(), {"BM_a", "BM_b"})
    )
    assert compared().judgement.floor == kept
    assert compared("cpu_time").judgement.floor != kept
