import itertools

import numpy as np
import pytest
from judging import NOISES, rounds_from, settings
from msgspec.structs import astuple

from assay.judge.look import judge_benchmark
from assay.judge.paired import confidence_sequence
from assay.judge.paired.confidence_sequence import (
    BETTING_FRACTIONS,
    FARTHEST_MODE,
    MIXTURE_WEIGHTS,
    Increments,
    e_process,
    huber_location,
    increments,
    max_e_value,
    minimum_rounds,
)
from assay.judge.paired.predictable import predictable_estimates
from assay.remarks import Drifts

TARGET = 2.0 / 0.05


def interval(d: np.ndarray, target: float = TARGET) -> tuple[float, float]:
    low, high = confidence_sequence.interval(increments(d[None, :]), target)
    return float(low[0]), float(high[0])


def test_shares_of_capital_are_all_of_it() -> None:
    assert MIXTURE_WEIGHTS.sum() == pytest.approx(1.0)
    assert len(MIXTURE_WEIGHTS) == len(BETTING_FRACTIONS)
    assert BETTING_FRACTIONS.max() < 1.0  # else one loss would ruin a bettor for good


def test_wealth_is_a_martingale_when_signs_are_fair() -> None:
    """Over all 2^8 ways the signs can fall, final wealth is 1 on average."""
    size = 0.01 * np.array([1.0, 0.3, 2.0, 0.1, 0.5, 0.5, 4.0, 0.2])
    signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * 8)).reshape(8, -1).T
    bets = increments(signs * size)
    ones = np.ones_like(signs)
    fair = bets._replace(x=signs * size, slope=ones, lasting=ones)
    final = e_process(fair._replace(weight=ones, surely=ones), np.zeros(256))
    assert final[:, -1].mean() == pytest.approx(1.0)
    assert (bets.weight < 1.0).any(), "no echo was suspected"
    assert 0.5 < e_process(fair, np.zeros(256))[:, -1].mean() < 1.0


@pytest.mark.parametrize("chance", [0.05, 0.2])
def test_few_get_rich_when_signs_are_fair(chance: float) -> None:
    """All 2^12 ways, with autocorrelation taken off, which makes rounds a little less than fair."""
    size = np.array([1.0, 0.3, 2.0, 0.1, 0.5, 0.5, 4.0, 0.2, 0.7, 1.5, 0.9, 3.0])
    signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * 12)).reshape(12, -1).T
    bets = increments(signs * size)
    assert (bets.slope < 1.0).any(), "no echo was taken off"
    for side in (1.0, -1.0):
        assert 0.0 < share_that_reaches(1.0 / chance, bets, side) <= chance


@pytest.mark.parametrize("chance", [0.05, 0.2])
def test_few_get_rich_when_rounds_are_autocorrelated(chance: float) -> None:
    """And many do where autocorrelation stays in: the bound is kept by taking it off."""
    d = NOISES["AR(1) 0.3"](np.random.default_rng(11), (4_000, 100))
    bets = increments(d)
    ones = np.ones_like(d)
    uncorrected = bets._replace(x=d, slope=ones, weight=ones)
    for side in (1.0, -1.0):
        assert share_that_reaches(1.0 / chance, bets, side) <= chance
        assert share_that_reaches(1.0 / chance, uncorrected, side) > chance


def share_that_reaches(target: float, bets: Increments, side: float) -> float:
    """Of the series whose centre is 0, those in which a bettor against 0 ever has `target`."""
    return float((max_e_value(bets, np.zeros(len(bets.x)), side) >= target).mean())


def test_wealth_falls_as_the_tested_centre_rises() -> None:
    bets = increments(NOISES["AR(1) 0.3"](np.random.default_rng(1), (1, 80)))
    at = [float(max_e_value(bets, np.array([theta]))[0]) for theta in np.linspace(-3, 3, 61)]
    assert all(one >= other for one, other in itertools.pairwise(at))


def test_interval_ends_are_where_wealth_reaches_the_target() -> None:
    bets = increments(NOISES["normal"](np.random.default_rng(2), (5, 60)))
    low, high = confidence_sequence.interval(bets, TARGET)
    for side, end in ((1.0, low), (-1.0, high)):
        assert np.all(max_e_value(bets, end - side * 1e-4, side) >= TARGET)
        assert np.all(max_e_value(bets, end + side * 1e-4, side) < TARGET)


def test_the_estimate_lies_inside_and_moves_with_the_data() -> None:
    d = NOISES["heavy tails"](np.random.default_rng(3), (1, 60))
    low, high = interval(d[0])
    centre = float(huber_location(increments(d))[0])
    assert low < centre < high
    assert float(huber_location(increments(d + 5.0))[0]) == pytest.approx(centre + 5.0, abs=1e-4)


def test_more_rounds_never_widen_the_interval() -> None:
    d = NOISES["bimodal"](np.random.default_rng(4), (1, 90))[0]
    ends = [interval(d[:n]) for n in range(20, 91, 5)]
    for earlier, later in itertools.pairwise(ends):
        assert later[0] >= earlier[0] - 1e-6
        assert later[1] <= earlier[1] + 1e-6


@pytest.mark.parametrize("target", [40.0, 800.0, 1e6])
def test_fewest_is_the_first_round_that_can_decide(target: float) -> None:
    fewest = minimum_rounds(target)
    for rounds, decides in ((fewest, True), (fewest - 1, False)):
        low, _ = confidence_sequence.interval(increments(np.full((1, rounds), 0.5), 0.0), target)
        assert np.isfinite(low[0]) == decides


@pytest.mark.parametrize("target", [40.0, 800.0])
def test_a_single_benchmark_takes_more_rounds_near_the_tested_centre(target: float) -> None:
    """Its first rounds may echo a mode of the host; as far as no mode lies, they count in full."""
    fewest = minimum_rounds(target)
    # Rounds that take turns around their centre are the last to be taken for autocorrelated.
    d = 0.5 + 1e-6 * np.tile([1.0, -1.0], 20)
    low, _ = interval(d[: fewest + 1], target)
    assert np.isfinite(low)
    assert low == pytest.approx(0.5 - FARTHEST_MODE, abs=1e-4)
    assert interval(d, target)[0] > 0.49


def test_the_weight_of_strong_autocorrelations_is_one_over_the_rounds_until_they_fade() -> None:
    """And bets so weighted win no more than fair ones, whatever the weights."""
    bets = increments(np.random.default_rng(1).standard_normal((3, 60)), 0.8)
    assert np.log(bets.weight[:, -1]) == pytest.approx(np.log(np.log(0.8) / np.log(0.02)))
    assert (bets.slope == 1.0).all(), "a strong echo is not taken off besides"
    calm = increments(np.random.default_rng(1).standard_normal((3, 60)), 0.0)
    assert (calm.weight == 1.0).all()


def test_rounds_without_any_spread_are_decided() -> None:
    low, high = interval(np.full(30, 0.25))
    assert low == pytest.approx(0.25, abs=1e-8)
    assert high == pytest.approx(0.25, abs=1e-8)


def test_thousands_of_rounds_neither_overflow_nor_fail() -> None:
    d = NOISES["normal"](np.random.default_rng(5), (1, 4000))[0]
    low, high = interval(d)
    assert -0.2 < low < 0 < high < 0.2
    assert interval(d + 100.0)[0] > 99.8


def test_the_past_is_past() -> None:
    """What is known before round i must not change with round i or later."""
    d = NOISES["AR(1) 0.3"](np.random.default_rng(6), (1, 50))
    changed = d.copy()
    changed[:, 30:] += 1000.0
    for one, other in zip(
        astuple(predictable_estimates(d)),
        astuple(predictable_estimates(changed)),
        strict=True,
    ):
        assert np.array_equal(one[:, :31], other[:, :31]) or np.array_equal(
            one[:, :30], other[:, :30]
        )
    assert np.array_equal(
        predictable_estimates(d).scale[:, 30],
        predictable_estimates(changed).scale[:, 30],
    )
    assert np.array_equal(
        predictable_estimates(d).autocorrelation[:, 30],
        predictable_estimates(changed).autocorrelation[:, 30],
    )


def test_autocorrelation_is_seen_and_independence_is_not_taken_for_one() -> None:
    rng = np.random.default_rng(7)
    autocorrelated = predictable_estimates(NOISES["AR(1) 0.3"](rng, (200, 150)))
    independent = predictable_estimates(NOISES["normal"](rng, (200, 150)))
    assert (
        np.mean(
            (autocorrelated.autocorrelation[:, -1] > 0.25) | (autocorrelated.weight[:, -1] < 1.0)
        )
        > 0.5
    )
    assert np.median(independent.autocorrelation[:, -1]) < 0.1
    assert np.mean(independent.weight[:, -1] == 1.0) > 0.99


def test_in_a_suite_nothing_is_suspected_beyond_what_is_sure() -> None:
    """So what is suspected of a benchmark by itself, and how far, decides nothing there."""
    d = NOISES["AR(1) 0.5"](np.random.default_rng(10), (20, 60))
    for past in (predictable_estimates(d, shared) for shared in (0.0, 0.2, 0.8)):
        assert np.array_equal(past.weight, past.surely)
    alone = predictable_estimates(d)
    assert not np.array_equal(alone.weight, alone.surely)


def test_autocorrelated_rounds_widen_the_interval() -> None:
    rng = np.random.default_rng(8)
    plain = NOISES["normal"](rng, (1, 100))[0]
    autocorrelated = plain.copy()
    for i in range(1, 100):
        autocorrelated[i] += 0.6 * autocorrelated[i - 1]
    autocorrelated *= np.std(plain) / np.std(autocorrelated)
    widths = [high - low for low, high in map(interval, (plain, autocorrelated))]
    assert widths[1] > 1.3 * widths[0]


def test_contradicting_rounds_give_a_wide_interval_not_an_empty_one() -> None:
    """40 rounds at +50 %, then 300 at -50 %: the two halves exclude each other."""
    rng = np.random.default_rng(9)
    d = np.concatenate([rng.normal(0.4, 0.01, 40), rng.normal(-0.4, 0.01, 300)])
    one = judge_benchmark([rounds_from(d)], settings())[0]
    assert one.low is not None
    assert one.high is not None
    assert one.low <= one.change <= one.high
    assert one.low < one.high
    assert any(isinstance(note, Drifts) for note in one.notes)
