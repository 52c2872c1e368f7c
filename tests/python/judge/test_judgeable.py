import math

import pytest

from assay.judge.judgeable import (
    LARGEST,
    SMALLEST,
    reason_unjudgeable,
)
from assay.remarks import RemarkName


@pytest.mark.parametrize(
    ("launches", "found"),
    [
        ([(1.0, 2.0), (3.0,)], None),
        ([(SMALLEST,), (LARGEST,)], None),
        ([], RemarkName.NOTHING_MEASURED),
        ([(1.0,), ()], RemarkName.NOTHING_MEASURED),
        ([(1.0,), (0.0, 1.0)], RemarkName.ZEROS),
        ([(0.0,), (-1.0, 1.0)], RemarkName.NEGATIVE),
        ([(1.0, math.nan)], RemarkName.NO_NUMBERS),
        ([(math.nan, 1.0)], RemarkName.NO_NUMBERS),
        ([(math.inf, -math.inf)], RemarkName.NO_NUMBERS),
        ([(1e308, -1e308)], RemarkName.NO_NUMBERS),
        ([(5e-324,)], RemarkName.NO_NUMBERS),
    ],
)
def test_what_no_ratio_can_be_made_of_is_told(
    launches: list[tuple[float, ...]], found: RemarkName | None
) -> None:
    assert reason_unjudgeable(launches) is found


@pytest.mark.parametrize(
    ("value", "is_number"), [(1e-60, True), (9e-61, False), (1e60, True), (1.1e60, False)]
)
def test_numbers_that_nothing_measured_are_not_judged(value: float, is_number: bool) -> None:
    """Their ratios, and products of these, stay within what a float can hold."""
    assert (reason_unjudgeable([(value,)]) is None) is is_number
    assert value**5 not in (0.0, math.inf)
