import numpy as np
import pytest
from judging import real_rounds, rounds_from, rounds_of, settings

from assay.judge.floor import below_floor, from_pairs, from_session
from assay.model import Pair


def real(name: str) -> list[Pair]:
    return [rounds_of(b.tolist(), c.tolist(), n) for n, (b, c) in real_rounds(name).items()]


def test_a_against_a_shows_the_floor() -> None:
    floor = from_pairs(real("identical"), settings(), source="A/A of today")
    assert floor is not None
    assert 0.01 < floor.effect < 0.05
    assert floor.drift >= 0.12
    assert (floor.rounds, floor.benchmarks, floor.source) == (40, 17, "A/A of today")


def test_an_ordinary_session_gives_about_the_same_floor_whatever_changed() -> None:
    known = from_pairs(real("identical"), settings(), source="")
    seen = from_session(real("five_percent"), settings())
    assert known is not None
    assert seen is not None
    assert seen.effect == pytest.approx(known.effect, rel=0.5)
    assert seen.source == "this session"


def test_the_floor_is_what_the_largest_of_many_stays_below() -> None:
    rng = np.random.default_rng(1)
    suites = [[rounds_from(0.01 * rng.standard_normal(40)) for _ in range(20)] for _ in range(60)]
    floor = from_session(suites[0], settings())
    assert floor is not None
    largest = [max(abs(float(np.median(_ratios(p)))) for p in suite) for suite in suites]
    assert 0.8 <= np.mean(np.array(largest) < floor.effect) <= 1.0
    assert floor.effect < 2 * np.median(largest)


def _ratios(pair: Pair) -> np.ndarray:
    return np.log(np.array(pair.candidate.launches) / np.array(pair.base.launches))


def test_too_little_shows_nothing() -> None:
    assert from_session([], settings()) is None
    assert from_session([rounds_from(np.zeros(3))], settings()) is None
    assert (
        from_session([rounds_of([(1.0,)] * 9, [(1.0,)] * 9, metric="allocs")], settings()) is None
    )


def test_a_margin_below_the_floor_is_told() -> None:
    floor = from_pairs(real("identical"), settings(), source="A/A of today")
    assert floor is not None
    assert below_floor(floor, settings(margin=0.2)) is None
    found = below_floor(floor, settings(margin=0.001))
    assert found is not None
    assert (found.margin, found.effect) == (0.001, floor.effect)
    assert found.source == "A/A of today"


def noisy_and_quiet() -> list[Pair]:
    """Four benchmarks whose cpu_time scatters ten times as much as their real_time."""
    rng = np.random.default_rng(2)
    scatters = {"real_time": 0.005, "cpu_time": 0.05}
    return [
        pair_of(f"BM_{number}", metric, scatter * (1 + number) * rng.standard_normal(40))
        for number in range(4)
        for metric, scatter in scatters.items()
    ]


def pair_of(name: str, metric: str, d: np.ndarray) -> Pair:
    base, candidate = 100.0 * np.exp(-d / 2), 100.0 * np.exp(d / 2)
    return rounds_of(base[:, None].tolist(), candidate[:, None].tolist(), name, metric)


def test_each_benchmark_has_its_own_floor() -> None:
    real = [one for one in noisy_and_quiet() if one.metric == "real_time"]
    floor = from_session(real, settings())
    assert floor is not None
    assert list(floor.by_benchmark) == [f"BM_{number}" for number in range(4)]
    assert floor.effect == max(floor.by_benchmark.values())
    assert floor.by_benchmark["BM_3"] > 2 * floor.by_benchmark["BM_0"]


def test_a_warning_counts_the_benchmarks_and_names_the_worst() -> None:
    real = [one for one in noisy_and_quiet() if one.metric == "real_time"]
    floor = from_session(real, settings())
    assert floor is not None
    ordered = sorted(floor.by_benchmark.values())
    found = below_floor(floor, settings(margin=(ordered[1] + ordered[2]) / 2))
    assert found is not None
    assert (found.above, found.benchmarks, found.worst) == (2, 4, "BM_3")
    assert (found.effect, found.rounds) == (ordered[3], 40)


def test_of_one_benchmark_no_other_is_named() -> None:
    floor = from_session([noisy_and_quiet()[6]], settings())
    assert floor is not None
    found = below_floor(floor, settings(margin=0.001))
    assert found is not None
    assert (found.above, found.benchmarks, found.worst) == (0, 0, "")
