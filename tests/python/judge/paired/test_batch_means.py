"""A memory longer than one round: seen by means of batches where the next round shows nothing."""

import numpy as np
import pytest
from judging import SCATTER, Floats, Rng, autocorrelated, normal, rounds_from, two_modes

from assay.judge.look import shared_autocorrelation
from assay.judge.paired.batch_means import (
    BY_ITSELF,
    IN_SUITE,
    OF_ALL,
    RatioThreshold,
    lasting_rounds,
    variance_ratios,
)
from assay.judge.paired.confidence_sequence import e_process, increments

SUITE = 20


def every_second(rng: Rng, shape: tuple[int, int]) -> Floats:
    """Each round repeats 0.6 of the one before the last, and nothing of the last."""
    d = rng.standard_normal(shape)
    for i in range(2, shape[1]):
        d[:, i] += 0.6 * d[:, i - 2]
    return d


def autocorrelation_of(d: Floats) -> float | None:
    return shared_autocorrelation([rounds_from(SCATTER * row, f"B{i}") for i, row in enumerate(d)])


@pytest.mark.parametrize("make", [every_second, two_modes(3.0, 0.97)])
def test_a_suite_estimates_what_returns_later_than_in_the_next_round(make) -> None:  # type: ignore[no-untyped-def]
    estimated = [
        autocorrelation_of(make(np.random.default_rng(seed), (SUITE, 40))) for seed in range(20)
    ]
    assert sum((autocorrelation or 0.0) >= 0.2 for autocorrelation in estimated) >= 17


def test_a_suite_of_separate_rounds_seldom_estimates_anything() -> None:
    estimated = [
        autocorrelation_of(normal(np.random.default_rng(seed), (SUITE, 40))) for seed in range(100)
    ]
    assert sum(autocorrelation != 0.0 for autocorrelation in estimated) <= 12


def test_separate_rounds_are_taken_for_separate() -> None:
    d = normal(np.random.default_rng(1), (1_000, 64))
    assert (lasting_rounds(d, IN_SUITE) > 1.0).mean() < 0.06
    assert lasting_rounds(d, IN_SUITE).mean() < 1.1
    assert variance_ratios(d).mean(axis=0) == pytest.approx([1.0] * 4, abs=0.1)


def test_rounds_that_last_are_known_by_how_many_say_as_much_as_one() -> None:
    """AR(1) 0.9: 19, of which batches of 16 rounds show about ten."""
    d = autocorrelated(0.9)(np.random.default_rng(2), (500, 200))
    assert 6.0 < float(np.median(lasting_rounds(d, IN_SUITE)[:, -1])) < 19.0


def test_a_benchmark_by_itself_is_suspected_sooner() -> None:
    d = every_second(np.random.default_rng(3), (500, 40))
    alone, company = ((lasting_rounds(d, which) > 1.0).mean() for which in (BY_ITSELF, IN_SUITE))
    assert alone > 1.2 * company


def test_what_is_known_later_changes_no_bet_that_was_looked_at() -> None:
    """The wealth shown after n rounds is the same when there are more of them."""
    d = autocorrelated(0.8)(np.random.default_rng(4), (30, 90))
    told = np.full(d.shape, np.nan)
    told[:, 40:] = 0.7
    for now in (20, 41, 60, 89):
        early, late = increments(d[:, :now], told[:, :now]), increments(d, told)
        assert (early.lasting == late.lasting[:, :now]).all()


def test_what_is_taken_for_a_memory_never_adds_wealth() -> None:
    """So the bound holds exactly where rounds are separate, whatever is taken for a memory."""
    bets = increments(normal(np.random.default_rng(5), (200, 60)), 0.0)
    assert (bets.lasting > 1.0).any()
    without = bets._replace(lasting=np.ones_like(bets.lasting))
    for theta in (0.0, 0.5):
        at = np.full(200, theta)
        assert (e_process(bets, at) <= e_process(without, at) * (1 + 1e-12)).all()


def test_a_suite_estimates_the_round_before_the_last_before_a_dozen_are_there() -> None:
    """Batches say so later, by when a change was called in a third of such suites."""
    estimated = [
        autocorrelation_of(every_second(np.random.default_rng(seed), (SUITE, 10)))
        for seed in range(30)
    ]
    assert sum((autocorrelation or 0.0) >= 0.5 for autocorrelation in estimated) >= 25


def test_what_the_next_round_repeats_does_not_count_twice() -> None:
    """AR(1) 0.3 returns after two rounds as 0.09, and is told by the next round alone."""
    make = autocorrelated(0.3)
    estimated = [
        autocorrelation_of(make(np.random.default_rng(seed), (SUITE, 40))) for seed in range(30)
    ]
    assert sum((autocorrelation or 0.0) < 0.5 for autocorrelation in estimated) >= 28


@pytest.mark.parametrize(
    ("gates", "strong", "weak"),
    [
        (BY_ITSELF, 2.62728, 2.07762),
        (IN_SUITE, 2.43138, 1.0),
        (OF_ALL, 2.62728, 1.0),
    ],
)
def test_fixed_rounds_last_as_long_as_they_did(
    gates: RatioThreshold, strong: float, weak: float
) -> None:
    """The gates of decision 46, which simulations chose, on waves without chance."""
    for wave, expected in ((0.22, strong), (0.13, weak)):
        swing = 0.5 * np.sin(3.7 * np.arange(1, 61) ** 1.3)
        d = wave * np.sin(np.arange(60) / 4.0) + swing
        assert lasting_rounds(d[None, :], gates)[0, -1] == pytest.approx(expected, rel=1e-4)
