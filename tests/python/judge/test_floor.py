import numpy as np
import pytest
from judging import files_of, real_rounds, rounds_from, rounds_of, settings

from assay.judge.floor import from_pairs, from_session, message
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


def test_sequential_pairs_show_the_drift_itself() -> None:
    pairs = [files_of([100.0 + i for i in range(6)], [104.0 + i for i in range(6)])]
    floor = from_pairs(pairs, settings(), source="twice in turn")
    assert floor is not None
    assert floor.drift == pytest.approx(0.039, abs=0.003)


def test_too_little_shows_nothing() -> None:
    assert from_session([], settings()) is None
    assert from_session([rounds_from(np.zeros(3))], settings()) is None
    assert (
        from_session([rounds_of([(1.0,)] * 9, [(1.0,)] * 9, metric="allocs")], settings()) is None
    )


def test_a_margin_below_the_floor_is_told() -> None:
    floor = from_pairs(real("identical"), settings(), source="A/A of today")
    assert floor is not None
    assert message(floor, settings(margin=0.2)) is None
    said = message(floor, settings(margin=0.001))
    assert said is not None
    assert "below the floor" in said
    assert "A/A of today" in said
