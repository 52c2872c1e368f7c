"""Launches that are slow now and then: what the centre of a pair does not show."""

import math

import numpy as np
import pytest
from judging import Floats, heavy, rounds_from, settings
from msgspec.structs import replace

from assay.judge.family.family import FamilyScope
from assay.judge.look import judge_benchmark
from assay.judge.paired.tails import Tails, least_rounds_to_calm, round_exponents
from assay.judge.share import IN_FAMILY
from assay.model import Comparison, Pair, Verdict

TRIES, ROUNDS = 200, 60
MARGIN = math.log1p(0.02)


def slow_now_and_then(seed: int, *, candidate: float, base: float = 0.0) -> Pair:
    """Noise of 1 %; a share of the launches of each side takes 30 % longer."""
    rng = np.random.default_rng(seed)
    slow = rng.random((2, ROUNDS)) < np.array([[base], [candidate]])
    launches = 0.01 * rng.standard_normal((2, ROUNDS)) / math.sqrt(2) + slow * math.log(1.3)
    return rounds_from(launches[1] - launches[0])


def in_a_suite(pair: Pair, family: int = 20) -> Comparison:
    """Its verdict among `family` comparisons whose rounds are known not to echo."""
    told = replace(pair, autocorrelations=(0.0,) * len(pair.base.launches))
    return judge_benchmark([told], settings(), asked=FamilyScope(None, family))[0]


def alone(pair: Pair) -> Comparison:
    return judge_benchmark([pair], settings())[0]


@pytest.mark.parametrize("judged", [alone, in_a_suite])
def test_a_fifth_of_slow_launches_is_never_called_the_same(judged) -> None:  # type: ignore[no-untyped-def]
    made = [judged(slow_now_and_then(seed, candidate=0.2)) for seed in range(TRIES)]
    assert sum(one.verdict is not Verdict.SAME for one in made) >= 0.95 * TRIES


def test_a_fifth_of_slow_launches_is_found_and_described() -> None:
    """Whoever has fewer than six such launches of 60 that do not follow each other stays open."""
    made = [alone(slow_now_and_then(seed, candidate=0.2)) for seed in range(TRIES)]
    worse = (Verdict.SOMETIMES_SLOWER, Verdict.SLOWER)
    found = [one for one in made if one.verdict in worse]
    assert len(found) >= 0.9 * TRIES
    told = [one.findings[0] for one in found if one.findings]
    assert len(told) >= 0.85 * TRIES
    assert {one.of for one in told} == {"launches"}
    assert np.median([one.share for one in told]) == pytest.approx(0.2, abs=0.04)
    assert np.median([one.size for one in told]) == pytest.approx(0.3, abs=0.03)


def test_a_fifth_of_fast_launches_is_found_faster_not_slower() -> None:
    """Its share of alpha is small, so that not all are found; none is found slower."""
    made = [alone(slow_now_and_then(seed, candidate=0.0, base=0.4)) for seed in range(40)]
    verdicts = [one.verdict for one in made]
    assert verdicts.count(Verdict.SOMETIMES_FASTER) + verdicts.count(Verdict.FASTER) >= 20
    assert Verdict.SOMETIMES_SLOWER not in verdicts
    assert Verdict.SAME not in verdicts


def test_without_slow_launches_it_is_called_the_same() -> None:
    """The question costs no verdict: else never saying "same" would pass the tests above."""
    made = [in_a_suite(slow_now_and_then(seed, candidate=0.0)) for seed in range(40)]
    assert sum(one.verdict is Verdict.SAME for one in made) >= 38


def test_equal_tails_on_both_sides_are_found_within_alpha() -> None:
    made = [alone(slow_now_and_then(s, candidate=0.2, base=0.2)) for s in range(2 * TRIES)]
    assert sum(bool(one.findings) for one in made) <= 0.05 * 2 * TRIES


@pytest.mark.parametrize("far", [0.05, 0.2, 0.5])
def test_bettors_on_equal_sides_get_rich_as_seldom_as_promised(far: float) -> None:
    """At the margin's edge itself, where the bets are fair and not better than that."""
    rng = np.random.default_rng(7)
    shape = (4_000, 100)
    d = MARGIN + 0.01 * rng.standard_normal(shape) * np.where(rng.random(shape) < far, 30.0, 1.0)
    for side in (1.0, -1.0):
        tails = Tails(d, theta=MARGIN, side=side)
        for chance in (0.2, 0.05, 0.01):
            share = float((tails.wealth >= 1.0 / chance).mean())
            assert share <= chance + 2 * math.sqrt(chance / len(d))
        assert (tails.wealth >= 5.0).any(), "nobody bet anything"


def test_what_is_staked_depends_on_how_far_out_a_round_is_never_on_its_side() -> None:
    d: Floats = 0.01 * heavy(np.random.default_rng(3), (20, 80))
    signs = np.random.default_rng(4).choice([-1.0, 1.0], d.shape)
    slower = Tails(d, theta=0.0, side=1.0)
    faster = Tails(-d, theta=0.0, side=-1.0)
    np.testing.assert_allclose(slower.path, faster.path)
    mixed = Tails(signs * d, theta=0.0, side=1.0)
    np.testing.assert_allclose(np.abs(slower._far), np.abs(mixed._far))
    np.testing.assert_allclose(mixed._far, signs * slower._far)
    assert (slower._far != 0.0).any()


def test_flipping_every_round_flips_which_side_wins() -> None:
    fifth = np.where(np.arange(60) % 5 == 4, 0.3, 0.0) + 0.01 * heavy_free(60)
    d = np.array([fifth, -fifth])
    slower = Tails(d, theta=0.0, side=1.0).wealth
    faster = Tails(d, theta=0.0, side=-1.0).wealth
    assert slower[0] == pytest.approx(faster[1])
    assert slower[1] == pytest.approx(faster[0])
    assert slower[0] > 100.0 > faster[0]


def heavy_free(rounds: int) -> Floats:
    return np.random.default_rng(5).standard_normal(rounds)


def test_a_series_is_calm_only_where_one_in_five_would_have_shown() -> None:
    enough = least_rounds_to_calm()
    assert enough >= 20
    d = 0.001 * np.random.default_rng(6).standard_normal((1, 80))
    assert not Tails(d[:, : enough - 1], theta=MARGIN, side=1.0).calm[0]
    calm = Tails(d, theta=0.0, side=1.0)
    assert calm.calm[0]
    assert calm.rounds_to_calm[0] == 0.0
    fifth = d + np.where(np.arange(80) % 5 == 4, 0.3, 0.0)
    assert not Tails(fifth, theta=0.0, side=1.0).calm[0]


def test_of_series_with_that_share_few_are_taken_for_calm() -> None:
    """One or two in a hundred, however often one looks."""
    rng = np.random.default_rng(8)
    d = 0.01 * rng.standard_normal((4_000, 100)) + 0.5 * (rng.random((4_000, 100)) < 0.2)
    calm = Tails(d, theta=0.0, side=1.0).calm
    assert 0.0 < calm.mean() <= 0.025


def test_a_run_of_slow_launches_counts_once() -> None:
    """In 1 of 100 rounds a side begins to be 30 % slower for 6 to 12 rounds: no change."""
    rng = np.random.default_rng(31)
    shape = (600, 100)
    d = 0.01 * rng.standard_normal(shape)
    for row, column in np.argwhere(rng.random(shape) < 0.01).tolist():
        d[row, column : column + int(rng.integers(6, 13))] += rng.choice([-0.3, 0.3])
    rich = Tails(d, theta=MARGIN, side=1.0).wealth >= 1.0 / (0.05 * IN_FAMILY.slow_launches)
    assert rich.mean() <= 0.02


def paths(*last: float, side: float = 1.0) -> list[float]:
    """The wealth after each of some rounds in units of the usual distance, after eight of 1 %."""
    usual = 0.01 * 1.4826 * (1.0 + 2.0 / 8.0)
    d = np.array([[*(0.01 * (-1.0) ** n for n in range(8)), *(usual * one for one in last)]])
    tails = Tails(d, theta=0.0, side=side)
    assert tails.path[0, :8].tolist() == pytest.approx([1.0] * 8)
    return tails.path[0, 8:].tolist()


def won(*stakes: float) -> float:
    """The wealth of three bettors who have 93, 5 and 2 %, and stake 0.995, 0.8 and 0.4 of it."""
    return sum(
        part * math.prod(1.0 + fraction * one for one in stakes)
        for part, fraction in ((0.93, 0.995), (0.05, 0.8), (0.02, 0.4))
    )


def test_a_round_counts_from_2_5_usual_distances_on_and_in_full_from_5_on() -> None:
    for distance, stake in ((2.5, 0.0), (3.75, 0.5), (5.0, 1.0), (9.0, 1.0)):
        assert paths(distance) == [pytest.approx(won(stake))]
        assert paths(-distance) == [pytest.approx(won(-stake))]
        assert paths(distance, side=-1.0) == [pytest.approx(won(-stake))]


def test_on_the_round_after_a_far_one_nothing_is_staked() -> None:
    assert paths(9.0, 9.0, 0.0) == pytest.approx([won(1.0)] * 3)
    assert paths(9.0, 0.0, 9.0) == pytest.approx([won(1.0), won(1.0), won(1.0, 1.0)])


def test_the_share_of_far_rounds_is_less_those_on_the_other_side() -> None:
    d = np.array([[0.01 * (-1.0) ** n for n in range(36)] + [0.5, 0.3, 0.4, -0.6]])
    share, distance = Tails(d, theta=0.0, side=1.0).share_and_distance(0)
    assert (share, distance) == (pytest.approx(2 / 40), pytest.approx(0.4, abs=0.011))
    share, distance = Tails(d, theta=0.0, side=-1.0).share_and_distance(0)
    assert (share, distance) == (0.0, pytest.approx(0.6, abs=0.011))
    calm = Tails(d[:, :36], theta=0.0, side=1.0)
    assert calm.share_and_distance(0) == (0.0, 0.0)


def test_calm_takes_23_rounds_in_which_nothing_is_far_out() -> None:
    """0.7 * 1.24^23 + 0.3 * 1.12^23 is 102.6, and 83.2 a round before."""
    assert least_rounds_to_calm() == 23
    d = np.array([[0.01 * (-1.0) ** n for n in range(40)]])
    for rounds in (1, 5, 12, 22):
        early = Tails(d[:, :rounds], theta=0.0, side=1.0)
        assert not early.calm[0]
        assert 23 <= rounds + early.rounds_to_calm[0] <= 24
    assert Tails(d[:, :23], theta=0.0, side=1.0).calm[0]
    late = Tails(np.array([[0.01, -0.01] * 12 + [5.0] * 30]), theta=0.0, side=1.0)
    assert (late.calm[0], late.rounds_to_calm[0]) == (True, 0.0)


def test_strong_autocorrelation_makes_a_round_count_less() -> None:
    d = np.zeros((2, 30))
    assert (round_exponents(d, 0.0) == 1.0).all()
    assert (round_exponents(d, 0.3) == 1.0).all()
    assert round_exponents(d, 0.6)[0, 0] == pytest.approx(math.log(0.6) / math.log(0.02))
