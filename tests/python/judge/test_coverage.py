"""Whether the interval holds at the moment a verdict stops the measuring, on every noise.

The simulation takes the same steps as a session: a look after every round,
stopping at the first verdict. Only the interval's inversion is left out: it
holds the truth if and only if no bettor against the truth got rich by then.
"""

import numpy as np
import pytest
from judging import NOISES, SCATTER, Floats, rounds_from, settings

from assay.judge.family.family import FamilyScope
from assay.judge.look import is_settled, judge_benchmark
from assay.judge.paired.confidence_sequence import Increments, e_process, increments
from assay.model import Verdict

SERIES, LOOKS, ALPHA = 3_000, 120, 0.05
SITUATIONS = [  # margin, effect: both in sigmas of one round
    (0.0, 0.0),
    (0.0, 0.7),
    (2.0, 0.0),
    (2.0, 1.5),
    (2.0, 2.0),
    (2.0, 4.0),
    (0.7, 0.0),
]


def rich(bets: Increments, theta: float, side: float) -> Floats:
    """At each look, whether the bettor against `theta` ever reached the target."""
    path = e_process(bets, np.full(len(bets.x), theta), side)
    return np.maximum.accumulate(path, axis=1) >= 2.0 / ALPHA


def stops(bets: Increments, margin: float) -> tuple[Floats, Floats]:
    """Whether and when each series gets its verdict."""
    above, not_below = rich(bets, margin, 1.0), rich(bets, -margin, 1.0)
    below, not_above = rich(bets, -margin, -1.0), rich(bets, margin, -1.0)
    decided = above | below | (not_below & not_above)
    return decided.any(axis=1), np.where(decided.any(axis=1), decided.argmax(axis=1), LOOKS - 1)


def coverage(noise: str, margin: float, effect: float) -> float:
    rng = np.random.default_rng(20_261_120)
    made = NOISES[noise](rng, (SERIES, LOOKS))
    bets = increments(SCATTER * (made + effect))
    _, when = stops(bets, SCATTER * margin)
    missed = rich(bets, SCATTER * effect, 1.0) | rich(bets, SCATTER * effect, -1.0)
    return 1.0 - float(missed[np.arange(SERIES), when].mean())


@pytest.mark.parametrize(("margin", "effect"), SITUATIONS)
@pytest.mark.parametrize("noise", NOISES)
def test_interval_covers_at_the_moment_of_stopping(
    noise: str, margin: float, effect: float
) -> None:
    assert coverage(noise, margin, effect) >= 0.94


def test_stopping_is_not_rare_or_the_rest_proves_little() -> None:
    bets = increments(NOISES["heavy tails"](np.random.default_rng(1), (400, LOOKS)) + 4.0)
    decided, when = stops(bets, 2.0)
    assert decided.mean() > 0.99
    assert np.median(when) < 30


def test_the_simulations_stops_are_looks_own_stops() -> None:
    d = 0.01 * NOISES["heavy tails"](np.random.default_rng(2), (12, 60)) + 0.04
    decided, when = stops(increments(d), float(np.log1p(0.02)))
    assert decided.any()
    for series, has_verdict, first in zip(d, decided, when, strict=True):
        at_stop, before = (
            judge_benchmark([rounds_from(series[:n])], settings(), asked=FamilyScope(metrics=()))[0]
            for n in (first + 1, first)
        )
        assert at_stop.single, "judged at the whole of alpha, as the simulation is"
        if has_verdict and at_stop.verdict is not Verdict.FASTER:
            assert is_settled(at_stop)
            assert not is_settled(before)
