import numpy as np
import pytest
from judging import real_rounds, rounds_from, rounds_of, settings

from assay.judge.floor import below_floor, from_pairs, from_session
from assay.model import Floor, Pair


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


def steady(name: str, scatter: float, centre: float = 0.0, rounds: int = 16) -> Pair:
    """Rounds that lie `scatter` above or below their centre in turn."""
    return pair_of(name, "real_time", centre + scatter * (-1.0) ** np.arange(rounds))


def floors(*pairs: Pair) -> dict[str, float]:
    floor = from_session(pairs, settings())
    assert floor is not None
    assert floor.effect == max(floor.by_benchmark.values())
    return dict(floor.by_benchmark)


# The standard error of the median of 16 rounds that lie 1 % off: 1.2533 * 1.4826 * 0.01 / 4.
ERROR = 0.0046453


def test_the_floor_of_one_benchmark_is_what_chance_exceeds_once_in_twenty() -> None:
    assert floors(steady("A", 0.01)) == pytest.approx({"A": np.expm1(1.95996 * ERROR)}, rel=1e-4)
    half = floors(steady("A", 0.01, rounds=64))
    assert half["A"] == pytest.approx(np.expm1(1.95996 * ERROR / 2), rel=1e-4)


def test_of_several_benchmarks_none_exceeds_it_with_that_chance() -> None:
    """Of two alike each may exceed it in 2.53 % (Sidak); one without noise costs nothing."""
    alike = floors(steady("A", 0.01), steady("B", 0.01))
    assert alike == pytest.approx(dict.fromkeys("AB", np.expm1(2.23648 * ERROR)), rel=1e-4)
    apart = floors(steady("A", 0.01), steady("B", 0.0))
    assert apart == pytest.approx({"A": np.expm1(1.95996 * ERROR), "B": 0.0}, rel=1e-4)


def test_of_two_times_of_a_benchmark_the_noisier_counts() -> None:
    noisy, quiet = steady("A", 0.01), steady("A", 0.0)
    assert floors(noisy, quiet) == floors(quiet, noisy)
    assert floors(noisy, quiet)["A"] == pytest.approx(np.expm1(1.95996 * ERROR), rel=1e-4)


def test_what_a_program_showed_against_its_copy_counts_where_it_is_more() -> None:
    for centre, shown in ((0.3, np.expm1(0.3)), (-0.3, -np.expm1(-0.3)), (0.001, 0.0091)):
        floor = from_pairs([steady("A", 0.01, centre)], settings(), source="A/A")
        assert floor is not None
        assert floor.effect == pytest.approx(shown, rel=0.01)
        assert floor.by_benchmark == {"A": floor.effect}


@pytest.mark.parametrize("ends", [(100.0, 150.0), (150.0, 100.0)])
def test_the_drift_is_that_from_the_first_half_to_the_second(ends: tuple[float, float]) -> None:
    launches = [(end,) for end in ends for _ in range(5)]
    floor = from_session([rounds_of(launches, launches)], settings())
    assert floor is not None
    assert floor.drift == pytest.approx(0.5)
    still = from_session([rounds_of(launches[:5], launches[:5])], settings())
    assert still is not None
    assert (still.drift, still.rounds) == (0.12, 5)


def test_a_margin_at_the_floor_is_not_below_it() -> None:
    floor = Floor(
        effect=0.5,
        drift=0.12,
        rounds=9,
        benchmarks=2,
        source="",
        by_benchmark={"A": 0.5, "B": 0.25},
    )
    assert below_floor(floor, settings(margin=0.5)) is None
    found = below_floor(floor, settings(margin=0.25))
    assert found is not None
    assert (found.above, found.benchmarks, found.worst) == (1, 2, "A")
