"""What the multiview page shows: values only. And how a ratio reads, and looks.

percentage(1.093)     -9.3: slower is negative, as libMicro's multiview has it
colour(5.0)           '#ff0000'
"""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

MISSING, MEASURED, ERROR = 0, 1, 2

# A factor of time against the reference, and the colour there. Between two of them, linear.
GREENEST, WHITE_FROM, WHITE_TO, REDDEST = 0.2, 0.9, 1.1, 5.0


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One file, or one side or condition of one."""

    label: str
    origin: str
    facts: dict[str, str] = {}


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """Rows are benchmarks, columns files; column 0 is the reference. Values in ns."""

    columns: list[Column]
    names: list[str]
    values: NDArray[np.float64]
    states: NDArray[np.uint8]
    ratios: NDArray[np.float64]
    low: NDArray[np.float64]  # of the ratio; NaN where there is no interval
    high: NDArray[np.float64]
    errors: list[tuple[int, int, str]]  # row, column, what
    facts: list[tuple[str, dict[str, list[int]]]]


def percentage(ratio: float) -> float:
    """How much slower (negative) or faster, as libMicro's multiview counts it (docs/field.md)."""
    return 100.0 - 100.0 * ratio if ratio > 1.0 else 100.0 / ratio - 100.0


def percentage_text(ratio: float) -> str:
    """'-9.3 %'; nothing where there is no ratio."""
    if math.isnan(ratio) or ratio <= 0.0:
        return ""
    return f"{percentage(ratio):+.1f} %"


def colour(ratio: float) -> str:
    """White near 1, red where it takes longer, green where less."""
    if math.isnan(ratio) or WHITE_FROM <= ratio < WHITE_TO:
        return "#ffffff"
    if ratio < WHITE_FROM:
        share = (max(ratio, GREENEST) - GREENEST) / (WHITE_FROM - GREENEST)
        faint, green = int(255 * share), int(153 + 102 * share)
        return f"#{faint:02x}{green:02x}{faint:02x}"
    share = (REDDEST - min(ratio, REDDEST)) / (REDDEST - WHITE_TO)
    return f"#ff{int(255 * share):02x}{int(255 * share):02x}"
