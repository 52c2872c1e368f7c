import re

import numpy as np
import pytest
from judging import NOISES, rounds_from, rounds_of, settings
from msgspec.structs import astuple

from assay.judge.look import judge_benchmark
from assay.judge.paired import diagnostics
from assay.model import Pair
from assay.remarks import CorrelatedRounds, Drifts, RemarkName, SecondDiffers
from assay.show.words.remarks import remarks


def notes(pair: Pair) -> str:
    return " | ".join(remarks(judge_benchmark([pair], settings())[0].notes))


def test_quiet_rounds_leave_nothing_to_say() -> None:
    rng = np.random.default_rng(1)
    said = [notes(rounds_from(0.01 * rng.standard_normal(60))) for _ in range(100)]
    assert sum(bool(one) for one in said) <= 4


def test_autocorrelation_is_told() -> None:
    d = 0.01 * NOISES["AR(1) 0.3"](np.random.default_rng(2), (1, 400))[0]
    assert "not independent" in notes(rounds_from(d))
    assert "widened" in notes(rounds_from(d))


def test_a_drifting_effect_is_told_with_its_size() -> None:
    d = 0.01 * np.random.default_rng(3).standard_normal(80) + np.linspace(0.0, 0.06, 80)
    assert "drifts: +3." in notes(rounds_from(d))


def test_whoever_runs_second_being_slower_is_told() -> None:
    rng = np.random.default_rng(4)
    swing = np.where(np.arange(60) % 2 == 0, 0.03, -0.03)  # base is first in even rounds
    said = notes(rounds_from(0.005 * rng.standard_normal(60) + swing))
    assert re.search(r"second is (2\.9|3\.0)% slower", said)


def test_two_modes_are_told() -> None:
    rng = np.random.default_rng(5)
    modes = 0.2 * rng.integers(0, 2, 60)
    assert "two groups" in notes(rounds_from(0.01 * rng.standard_normal(60) + modes))


def test_dropped_rounds_are_told() -> None:
    pair = rounds_of([(1.0,)] * 20, [(1.0,)] * 20)
    dropped = Pair(pair.base, pair.candidate, pair.design, pair.base_first, dropped_rounds=3)
    assert "3 rounds dropped" in notes(dropped)


def of(kind: type, d: object, base_first: tuple[bool, ...] = ()) -> list[float]:
    """The sizes that notes of one kind tell."""
    told = diagnostics.diagnostic_remarks(np.array(d, dtype=float), base_first)
    return [float(astuple(one)[0]) for one in told if isinstance(one, kind)]


def signs(*runs: int) -> list[float]:
    """Rounds 1 % above and below in turn, so many in a row."""
    return [0.01 * (-1.0) ** turn for turn, run in enumerate(runs) for _ in range(run)]


def test_from_sixteen_rounds_on_notes_are_made() -> None:
    assert of(CorrelatedRounds, signs(*[1] * 15)) == []
    assert of(CorrelatedRounds, signs(*[1] * 16)) == [pytest.approx(-15 / 16 + (1 - 45 / 16) / 16)]


def test_autocorrelation_is_told_from_3_3_standard_errors_on() -> None:
    """Of 100 rounds: 0.33. Each of 33 changes of sign takes two hundredths from 0.99."""
    few = [
        run for pair in zip([2] * 15 + [10] * 2, [2] * 15 + [10] * 2, strict=True) for run in pair
    ]
    more = [run for pair in zip([2] * 16 + [9], [2] * 15 + [10] * 2, strict=True) for run in pair]
    assert of(CorrelatedRounds, signs(*few)) == [pytest.approx(0.33 * 1.03 + 0.01)]
    assert of(CorrelatedRounds, signs(*more, 9)) == []


def test_a_drift_is_that_of_the_medians_of_both_halves() -> None:
    (change,) = of(Drifts, np.arange(16) * 0.01)
    assert change == pytest.approx(np.expm1(0.08))
    (change,) = of(Drifts, np.arange(17) * -0.01)
    assert change == pytest.approx(np.expm1(-0.085))
    assert of(Drifts, [0.01] * 20) == []


FIRST = (True, False) * 8


def second(gap: float, first: tuple[bool, ...] = FIRST) -> list[float]:
    """By how much the side that ran second seems slower, in rounds that lie 1 % off in turn."""
    d = [
        gap * (1 if is_first else -1) + 0.01 * (-1) ** (at // 2)
        for at, is_first in enumerate(first)
    ]
    return of(SecondDiffers, d, first)


def test_who_ran_second_is_told_from_3_3_standard_errors_on() -> None:
    """Of eight rounds that lie 1 % off a median's is 0.657 %; half the gap is told."""
    assert second(0.0152) == []
    assert second(0.0155) == [pytest.approx(np.expm1(0.0155))]
    assert second(-0.03) == [pytest.approx(-np.expm1(0.03))]


def test_who_ran_second_takes_four_rounds_of_each_order() -> None:
    assert second(0.5, (True,) * 4 + (False,) * 12)
    assert second(0.5, (False,) * 4 + (True,) * 12)
    assert second(0.5, (True,) * 3 + (False,) * 13) == []
    assert second(0.5, (False,) * 3 + (True,) * 13) == []
    d = [0.5 if one else -0.5 for one in FIRST]
    assert of(SecondDiffers, d, FIRST) == [], "without any scatter nothing is known of the error"
    assert of(SecondDiffers, d, FIRST[:-1]) == []


def grouped(apart: float) -> bool:
    """Whether sixteen rounds around -1 and 1, each so far off, are noted as two groups."""
    d = np.array([side + apart * sign for side in (-1, 1) for sign in (-1, 1)] * 4)
    return RemarkName.TWO_GROUPS in diagnostics.diagnostic_remarks(d, ())


def test_two_groups_are_told_where_they_explain_85_percent_of_the_variance() -> None:
    """1 / (1 + 0.42^2) is just as much."""
    assert grouped(0.41)
    assert not grouped(0.43)
    assert RemarkName.TWO_GROUPS not in diagnostics.diagnostic_remarks(np.zeros(20), ())
