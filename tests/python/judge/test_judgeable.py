import math

import pytest

from assay.judge.judgeable import (
    LARGEST,
    NEGATIVE,
    NO_NUMBERS,
    NOTHING,
    SMALLEST,
    ZEROS,
    obstacle,
)


@pytest.mark.parametrize(
    ("launches", "said"),
    [
        ([(1.0, 2.0), (3.0,)], ""),
        ([(SMALLEST,), (LARGEST,)], ""),
        ([], NOTHING),
        ([(1.0,), ()], NOTHING),
        ([(1.0,), (0.0, 1.0)], ZEROS),
        ([(0.0,), (-1.0, 1.0)], NEGATIVE),
        ([(1.0, math.nan)], NO_NUMBERS),
        ([(math.nan, 1.0)], NO_NUMBERS),
        ([(math.inf, -math.inf)], NO_NUMBERS),
        ([(1e308, -1e308)], NO_NUMBERS),
        ([(5e-324,)], NO_NUMBERS),
    ],
)
def test_what_no_ratio_can_be_made_of_is_told(launches: list[tuple[float, ...]], said: str) -> None:
    assert obstacle(launches) == said
