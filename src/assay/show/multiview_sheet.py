"""The content of the multiview page (values only), and the text and colour of a ratio.

percentage(1.093)     -9.3: slower is negative, as in libMicro's multiview
colour(5.0)           '#ff0000'
"""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

MISSING, MEASURED, ERROR = 0, 1, 2

# Ratios to the reference's time where the colour is greenest, where white begins and ends, and
# where it is reddest; colours between them are interpolated.
GREENEST, WHITE_FROM, WHITE_TO, REDDEST = 0.2, 0.9, 1.1, 5.0


class SheetColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A column of the page: the results of one file, or of one side or one condition in a file."""

    label: str
    origin: str
    facts: dict[str, str] = {}


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of the multiview page: benchmarks are rows, files are columns, and times are in
    ns. All files are compared with the reference, which is column 0.
    """

    columns: list[SheetColumn]
    names: list[str]
    values: NDArray[np.float64]
    states: NDArray[np.uint8]
    ratios: NDArray[np.float64]
    low: NDArray[np.float64]  # lower ends of the ratios' intervals; NaN where there is no interval
    high: NDArray[np.float64]
    errors: list[tuple[int, int, str]]  # row, column, and what failed
    facts: list[tuple[str, dict[str, list[int]]]]


def percentage(ratio: float) -> float:
    """How much slower (negative) or faster, counted as libMicro's multiview does
    (docs/field.md)."""
    return 100.0 - 100.0 * ratio if ratio > 1.0 else 100.0 / ratio - 100.0


def percentage_text(ratio: float) -> str:
    """A ratio of times as percent, such as '-9.3 %'; empty if there is none."""
    if math.isnan(ratio) or ratio <= 0.0:
        return ""
    return f"{percentage(ratio):+.1f} %"


def colour(ratio: float) -> str:
    """The colour of a ratio of times: white near 1, redder above it, greener below it."""
    if math.isnan(ratio) or WHITE_FROM <= ratio < WHITE_TO:
        return "#ffffff"
    if ratio < WHITE_FROM:
        share = (max(ratio, GREENEST) - GREENEST) / (WHITE_FROM - GREENEST)
        faint, green = int(255 * share), int(153 + 102 * share)
        return f"#{faint:02x}{green:02x}{faint:02x}"
    share = (REDDEST - min(ratio, REDDEST)) / (REDDEST - WHITE_TO)
    return f"#ff{int(255 * share):02x}{int(255 * share):02x}"
