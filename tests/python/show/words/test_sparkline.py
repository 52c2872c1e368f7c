"""A line of characters that follows the values."""

import pytest

from assay.show.words.sparkline import sparkline


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ([], ""),
        ([5.0], "▄"),
        ([5.0, 5.0], "▄▄"),
        ([1.0, 2.0], "▁█"),
        ([1.0, 2.0, 3.0, 2.0], "▁▅█▅"),
        ([0.0, 0.0, 7.0, 7.0], "▁▁██"),
    ],
)
def test_heights(values: list[float], line: str) -> None:
    assert sparkline(values) == line


def test_a_long_series_is_summed_up_by_medians() -> None:
    values = [1.0] * 50 + [2.0] * 50
    values[10] = 1000.0  # one odd run is not the picture
    assert sparkline(values, 10) == "▁▁▁▁▁█████"
