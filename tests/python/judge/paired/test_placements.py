"""What drawn placements add to an effect, and the interval over all of them."""

import math

import numpy as np
import pytest
from scipy.stats import t

from assay.judge.look import judge_benchmark
from assay.judge.paired.confidence_sequence import huber_location, increments, interval
from assay.judge.paired.placements import (
    PlacementSpread,
    placement_spread,
    student_quantile,
    widened_half_width,
)
from assay.judge.share import IN_FAMILY
from assay.model import Design, Pair, Series, Settings

LINKS = 8


def drawn(rng: np.random.Generator, sd: float, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Log ratios of rounds with heavy tails, and the links they took: all, then all again."""
    links = np.concatenate([rng.permutation(LINKS) for _ in range(rounds // LINKS)])
    return rng.normal(0, sd, LINKS)[links] + 0.01 * rng.standard_t(4, len(links)), links


def test_the_spread_of_links_is_found_beside_the_noise() -> None:
    rng = np.random.default_rng(1)
    found = [placement_spread(*drawn(rng, 0.03, 160)) for _ in range(200)]
    assert all(one is not None and one.number == LINKS for one in found)
    assert math.isclose(np.median([one.sd for one in found if one]), 0.03, rel_tol=0.1)
    none = [placement_spread(*drawn(rng, 0.0, 160)) for _ in range(200)]
    assert np.median([one.sd for one in none if one]) < 0.001


def test_too_few_rounds_of_a_link_and_a_single_link_say_nothing() -> None:
    assert placement_spread(np.array([0.1, 0.2, 0.3]), [0, 1, 1]) is None
    assert placement_spread(np.array([0.1, 0.2, 0.3]), [4, 4, 4]) is None
    assert placement_spread(np.array([0.1, 0.1, 0.1, 0.1]), [0, 1, 0, 1]) == PlacementSpread(0.0, 2)


@pytest.mark.parametrize("sd", [0.0, 0.005, 0.03])
def test_the_interval_over_placements_holds_at_every_look(sd: float) -> None:
    """In 300 tries at most 5 % may ever be wrong; 9 % would be three standard errors more."""
    rng = np.random.default_rng(7)
    level, tries, wrong, narrow = 0.05, 300, 0, 0
    for _ in range(tries):
        ratios, links = drawn(rng, sd, 96)
        ever = alone = False
        for rounds in (32, 48, 64, 96):
            bets = increments(ratios[None, :rounds])
            low, high = (float(end[0]) for end in interval(bets, 2 / (level * IN_FAMILY.centre)))
            centre, found = (
                float(huber_location(bets)[0]),
                placement_spread(ratios[:rounds], links[:rounds]),
            )
            assert found is not None
            if math.isinf(low) or math.isinf(high):
                continue
            ever |= centre - widened_half_width(centre - low, found, level) > 0
            ever |= centre + widened_half_width(high - centre, found, level) < 0
            alone |= low > 0 or high < 0
        wrong += ever
        narrow += alone
    assert wrong <= 0.09 * tries
    if sd >= 0.03:
        assert narrow > 0.2 * tries  # without it the same rounds are wrong in every fifth


@pytest.mark.parametrize(
    ("degrees", "share", "value"),
    [
        (1, 0.975, 12.706205),
        (2, 0.975, 4.3026527),
        (3, 0.975, 3.1824463),
        (4, 0.995, 4.604095),
        (7, 0.975, 2.3646243),
        (7, 0.9995, 5.407883),
        (15, 0.975, 2.1314495),
        (30, 0.975, 2.0422725),
    ],
)
def test_quantiles_are_those_of_the_tables(degrees: int, share: float, value: float) -> None:
    assert math.isclose(student_quantile(share, degrees), value, rel_tol=1e-6)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 6, 19, 50])
def test_quantiles_are_scipys(degrees: int) -> None:
    for share in (0.5, 0.6, 0.9, 0.975, 0.9999, 1.0 - 1e-6):
        expected = t.ppf(share, degrees)
        assert student_quantile(share, degrees) == pytest.approx(expected, rel=1e-8, abs=1e-12)


def test_a_comparison_over_links_is_wider_and_says_what_they_add() -> None:
    ratios, links = drawn(np.random.default_rng(3), 0.03, 64)
    base = tuple((100.0,) for _ in ratios)
    candidate = tuple((100.0 * math.exp(one),) for one in ratios)
    sides = [Series("BM", "real_time", "ns", one) for one in (base, candidate)]
    alone = Pair(*sides, Design.INTERLEAVED, tuple(i % 2 == 0 for i in range(len(ratios))))
    over = Pair(*sides, Design.INTERLEAVED, alone.base_first, placements=tuple(links.tolist()))
    (narrow,), (wide,) = judge_benchmark([alone], Settings()), judge_benchmark([over], Settings())
    assert narrow.placement_sd is None
    assert wide.placement_sd is not None
    assert 0.01 < wide.placement_sd < 0.06
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.low is not None
    assert wide.high is not None
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)
    assert wide.change == narrow.change


def test_the_spread_is_that_of_the_links_less_one_and_a_half_times_the_noise() -> None:
    """Two links 1 apart, whose rounds lie 0.1 off: 0.5 less 1.5 times 0.02 / 2."""
    found = placement_spread(np.array([-0.1, 0.9, 0.1, 1.1]), [7, 9, 7, 9])
    assert found == PlacementSpread(pytest.approx(math.sqrt(0.5 - 0.015)), 2)


def test_a_wild_round_counts_as_two_deviations() -> None:
    """The median of all distances is 0.1, so that 8.9 counts as 2 * 0.14826."""
    ratios = np.array([-0.1, -0.1, 0.1, 0.1, 9.0, 0.9, 0.9, 1.1, 1.1, 1.0])
    found = placement_spread(ratios, [0] * 5 + [1] * 5)
    assert found == PlacementSpread(pytest.approx(0.645077, rel=1e-5), 2)


def test_two_links_widen_an_interval_by_students_t_of_one_degree() -> None:
    wide = widened_half_width(0.3, PlacementSpread(0.02, 2), 0.05)
    assert wide == pytest.approx(math.hypot(0.3, 12.706205 * 0.02 / math.sqrt(2)))
    more = widened_half_width(0.3, PlacementSpread(0.02, 8), 0.05)
    assert more == pytest.approx(math.hypot(0.3, 2.3646243 * 0.02 / math.sqrt(8)))
    assert widened_half_width(0.3, PlacementSpread(0.0, 8), 0.05) == 0.3
