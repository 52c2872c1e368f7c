import random

import pytest
from judging import sample
from msgspec.structs import astuple, replace

from assay.judge.failed_launches import betting_wealth, failed_launches
from assay.judge.share import COUNTS, FAILED_LAUNCHES, IN_FAMILY
from assay.model import FailedLaunches, Failure, Sample, Side

Rounds = list[tuple[bool, bool]]  # whether base and candidate failed


def judged(rounds: Rounds, names: tuple[str, ...] = ("B",)) -> tuple[FailedLaunches, ...]:
    samples: dict[Side, list[Sample]] = {Side.BASE: [], Side.CANDIDATE: []}
    failures = []
    for name in names:
        for number, pair in enumerate(rounds):
            for side, has_failed in zip(samples, pair, strict=True):
                if has_failed:
                    what = "it crashed with SIGSEGV"
                    failures.append(Failure(benchmark=name, what=what, side=side, round=number))
                else:
                    samples[side].append(replace(sample(name), side=side, round=number))
    return failed_launches(samples[Side.BASE], samples[Side.CANDIDATE], failures, alpha=0.05)


def test_launches_are_counted_by_side() -> None:
    (one,) = judged([(False, True), (True, True), (False, False), (True, False), (False, True)])
    assert (one.base.failed, one.base.launches) == (2, 5)
    assert (one.candidate.failed, one.candidate.launches) == (3, 5)
    assert one.candidate.what == "it crashed with SIGSEGV"
    assert judged([(False, False)] * 5) == ()


@pytest.mark.parametrize(("crashes", "found"), [(10, False), (11, True), (30, True)])
def test_eleven_of_eleven_are_a_finding(crashes: int, found: bool) -> None:
    rounds = [(False, True)] * crashes + [(False, False)] * 50
    assert [one.more_often for one in judged(rounds)] == [found]
    assert [one.more_often for one in judged([(b, a) for a, b in rounds])] == [False]


def test_the_level_is_shared_among_the_benchmarks_that_fail() -> None:
    rounds = [(False, True)] * 11
    assert [one.more_often for one in judged(rounds, ("a", "b"))] == [False, False]
    assert [one.more_often for one in judged([*rounds, *rounds], ("a", "b"))] == [True, True]


def test_rounds_in_which_both_fail_say_nothing() -> None:
    assert [one.more_often for one in judged([(True, True)] * 200)] == [False]


def test_where_nothing_changed_the_level_is_kept_however_long_one_looks() -> None:
    """Of 4,000 sequences of fair coins, each looked at after every one of 300 tosses."""
    rng = random.Random(20261124)
    level = 0.02
    found = sum(
        betting_wealth(rng.random() < 0.5 for _ in range(300)) >= 1.0 / level for _ in range(4000)
    )
    assert 0 < found <= 1.25 * level * 4000


def test_all_shares_of_a_judgement_are_no_more_than_alpha() -> None:
    assert sum(astuple(IN_FAMILY)) + COUNTS + FAILED_LAUNCHES == pytest.approx(1.0)


def test_what_two_bettors_win_together_is_counted_by_hand() -> None:
    """They stake on 70 and on 98 of 100; what is lost after the most they had does not count."""
    assert betting_wealth([]) == 1.0
    assert betting_wealth([True]) == pytest.approx((1.4 + 1.96) / 2)
    assert betting_wealth([True, True]) == pytest.approx((1.4**2 + 1.96**2) / 2)
    assert betting_wealth([True, False]) == pytest.approx((1.4 + 1.96) / 2)
    assert betting_wealth([False]) == 1.0
    lost = [False, *[True] * 4]
    assert betting_wealth(lost) == pytest.approx((0.6 * 1.4**4 + 0.04 * 1.96**4) / 2)


@pytest.mark.parametrize(("crashes", "found"), [(15, False), (16, True)])
def test_sixteen_of_seventeen_are_a_finding(crashes: int, found: bool) -> None:
    assert [one.more_often for one in judged([(True, False)] + [(False, True)] * crashes)] == [
        found
    ]


def test_rounds_count_in_their_order_and_a_failure_outside_any_does_not() -> None:
    failures = [
        Failure(benchmark="B", what="x", side=Side.CANDIDATE, round=number) for number in (3, 1)
    ]
    failures += [
        Failure(benchmark="B", what="y", side=None, round=2),
        Failure(benchmark="B", what="y", side=Side.BASE, round=None),
        Failure(benchmark="other", what="y", side=None, round=None),
        Failure(benchmark="B", what="y", side=Side.CANDIDATE, round=7),
        Failure(benchmark="B", what="y", side=Side.CANDIDATE, round=8),
        Failure(benchmark="B", what="y", side=Side.CANDIDATE, round=9),
    ]
    samples = [replace(sample("B"), side=Side.BASE, round=number) for number in range(5)]
    (one,) = failed_launches(samples, [], failures, alpha=0.05)
    assert (one.base.failed, one.base.launches, one.base.what) == (0, 5, "")
    assert (one.candidate.failed, one.candidate.launches, one.candidate.what) == (5, 5, "y")
