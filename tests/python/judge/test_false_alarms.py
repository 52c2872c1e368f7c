"""A against A: how often a whole suite cries wolf, looking after every round."""

import numpy as np
import pytest
from judging import (
    AUTOCORRELATED,
    NOISES,
    SCATTER,
    Floats,
    real_rounds,
    rounds_from,
    settings,
    two_modes,
)

from assay.judge.estimate import launch_estimates
from assay.judge.paired.confidence_sequence import increments, max_e_value
from assay.judge.paired.suite_autocorrelation import shared_autocorrelation
from assay.judge.share import IN_FAMILY
from assay.judge.verdict import judge
from assay.model import Verdict
from assay.remarks import CorrelatedSuite

ALPHA, LOOKS = 0.05, 60


def real_ratios() -> Floats:
    """Log ratios of the rounds of a binary against its own copy: 17 x 40."""
    sides = real_rounds().values()
    ratios = [
        np.log(launch_estimates(b, "real_time") / launch_estimates(a, "real_time"))
        for a, b in sides
    ]
    return np.array(ratios)


def resampled(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Real rounds in random order, each with its sides swapped by lot."""
    real = real_ratios()
    who = rng.integers(0, len(real), shape[0])[:, None]
    when = rng.integers(0, real.shape[1], shape)
    return np.asarray(real[who, when] * rng.choice([-1.0, 1.0], shape))


def share_of_false_suites(d: Floats, family: int) -> float:
    """Suites in which any bettor against "no change" ever got rich: margin 0."""
    company = None if family == 1 else 0.0
    bets, zero = increments(d, company), np.zeros(len(d))
    most = np.maximum(
        max_e_value(bets, zero),
        max_e_value(bets, zero, -1.0),
    )
    target = 2.0 * family / (ALPHA * IN_FAMILY.centre)
    return float((most >= target).reshape(-1, family).any(axis=1).mean())


@pytest.mark.parametrize(("family", "suites"), [(1, 4_000), (20, 1_000), (100, 200)])
def test_on_resampled_real_rounds(family: int, suites: int) -> None:
    d = resampled(np.random.default_rng(family), (family * suites, LOOKS))
    assert share_of_false_suites(d, family) <= ALPHA


@pytest.mark.parametrize("noise", [name for name in NOISES if name not in AUTOCORRELATED])
def test_on_every_noise_whose_rounds_are_independent(noise: str) -> None:
    d = NOISES[noise](np.random.default_rng(3), (20 * 400, LOOKS))
    assert share_of_false_suites(d, 20) <= ALPHA


@pytest.mark.parametrize("noise", AUTOCORRELATED)
def test_one_benchmark_alone_whose_rounds_are_autocorrelated(noise: str) -> None:
    """Nothing tells what its rounds echo: its first ones are suspected of it."""
    d = SCATTER * NOISES[noise](np.random.default_rng(5), (2_000, LOOKS))
    assert share_of_false_suites(d, 1) <= ALPHA


@pytest.mark.parametrize("scatter", [0.03, 0.05])
def test_one_benchmark_alone_whose_rounds_scatter_widely_around_two_modes(scatter: float) -> None:
    """Scatter takes rounds beyond the farthest mode there is, and yet they may echo one."""
    d = scatter * two_modes(3.0)(np.random.default_rng(5), (2_000, LOOKS))
    assert share_of_false_suites(d, 1) <= ALPHA


@pytest.mark.parametrize("noise", AUTOCORRELATED)
def test_a_suite_told_of_its_autocorrelations_while_it_is_measured(noise: str) -> None:
    """As in a live session: what is heard by a round is applied to the rounds after it."""
    rng = np.random.default_rng(6)
    false = 0
    for _ in range(100):
        d = SCATTER * NOISES[noise](rng, (20, LOOKS))
        bets, zero = increments(d, estimated(d)), np.zeros(len(d))
        most = np.maximum(
            max_e_value(bets, zero),
            max_e_value(bets, zero, -1.0),
        )
        false += bool((most >= 2.0 * len(d) / (ALPHA * IN_FAMILY.centre)).any())
    assert false <= 100 * ALPHA


def estimated(d: Floats) -> Floats:
    """What the suite was known to echo when each round was measured; NaN: not yet."""
    known = np.full(d.shape, np.nan)
    for now in range(1, d.shape[1]):
        autocorrelation = shared_autocorrelation([d[:, :now]], len(d)) if now % 4 == 0 else None
        known[:, now:] = known[:, now:] if autocorrelation is None else autocorrelation
    return known


def test_the_real_rounds_themselves_raise_none() -> None:
    pairs = [rounds_from(d, f"B{i}") for i, d in enumerate(real_ratios())]
    verdicts = {one.verdict for one in judge(pairs, settings(margin=0.0)).comparisons}
    assert verdicts == {Verdict.UNDECIDED}


def test_a_control_without_correction_would_fail_this() -> None:
    """Guards against a test that passes because nothing ran."""
    d = resampled(np.random.default_rng(20), (20 * 200, LOOKS))
    bets, zero = increments(d, 0.0), np.zeros(len(d))
    uncorrected = (max_e_value(bets, zero) >= 2.0 / ALPHA).reshape(-1, 20).any(axis=1).mean()
    assert uncorrected > ALPHA


@pytest.mark.parametrize(("family", "suites"), [(20, 300), (100, 60)])
def test_a_suite_whose_rounds_are_autocorrelated_is_judged_by_that(
    family: int, suites: int
) -> None:
    """AR(1) 0.3 in every benchmark: what the suite shares, one benchmark could not tell."""
    false = told = 0
    for seed in range(suites):
        d = 0.01 * NOISES["AR(1) 0.3"](np.random.default_rng(seed), (family, LOOKS))
        made = judge([rounds_from(row, f"B{i}") for i, row in enumerate(d)], settings(margin=0.0))
        false += {one.verdict for one in made.comparisons} != {Verdict.UNDECIDED}
        told += any(isinstance(note, CorrelatedSuite) for note in made.notes)
    assert false <= ALPHA * suites
    assert told == suites


def test_a_suite_of_independent_rounds_is_not_taken_for_autocorrelation() -> None:
    told = 0
    for seed in range(100):
        d = resampled(np.random.default_rng(seed), (20, 40))
        made = judge([rounds_from(row, f"B{i}") for i, row in enumerate(d)], settings())
        told += bool(made.notes)
    assert told <= 4
