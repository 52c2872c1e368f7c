"""What paired rounds say of a candidate; too few of them say nothing against it."""

import pytest

from assay.history import AlertState
from assay.judging import MethodName
from assay.model import Comparison, Design, Verdict
from assay.workflows.history.confirming import state_of


def rounds(low: float | None, high: float | None, count: int) -> Comparison:
    return Comparison(
        benchmark="a",
        metric="real_time",
        unit="ns",
        base=1.0,
        candidate=1.0,
        change=0.0,
        low=low,
        high=high,
        verdict=Verdict.UNDECIDED,
        rounds=count,
        design=Design.INTERLEAVED,
        method=MethodName.ROUNDS,
    )


@pytest.mark.parametrize(
    ("ratio", "low", "high", "count", "state"),
    [
        (1.05, 0.01, 0.08, 20, AlertState.CONFIRMED),
        (0.95, -0.08, -0.01, 20, AlertState.CONFIRMED),
        (0.95, 0.01, 0.08, 20, AlertState.NOT_REPRODUCED),
        (1.15, 0.002, 0.01, 20, AlertState.NOT_REPRODUCED),  # what the place of its code can do
        (0.85, -0.01, -0.002, 20, AlertState.NOT_REPRODUCED),
        (1.15, 0.06, 0.08, 20, AlertState.CONFIRMED),
        (1.05, -0.01, 0.01, 20, AlertState.NOT_REPRODUCED),
        (1.05, -0.01, 0.08, 80, AlertState.NOT_REPRODUCED),
        (1.05, -0.01, 0.08, 20, AlertState.UNDECIDED),
        (1.05, None, None, 5, AlertState.UNDECIDED),
    ],
)
def test_what_rounds_say_of_a_candidate(
    ratio: float, low: float | None, high: float | None, count: int, state: AlertState
) -> None:
    assert state_of(ratio, rounds(low, high, count), asked=80) is state
