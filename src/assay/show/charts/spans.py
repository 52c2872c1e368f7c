"""Where the axes of a chart begin and end. This is layout only; no verdict depends on it."""

import math
from collections.abc import Sequence

import numpy as np

from assay.show.content import Floats

# An axis shows this share of the values, so that distant outliers do not squeeze the others.
_CUT = 0.98
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 1000.0)


def value_span(values: Floats) -> tuple[float, float]:
    """The ends of the axis for measured values: up to the largest, unless that is an outlier."""
    if not len(values):
        return 0.0, 1.0
    ordered = np.sort(values)
    low, high = float(ordered[0]), float(ordered[-1])
    usual = float(ordered[int(_CUT * (len(ordered) - 1))])
    if high - low > 2 * (usual - low) > 0:
        high = low + 1.5 * (usual - low)
    room = 0.04 * (high - low) or 0.02 * abs(high) or 1.0
    return low - room, high + room


def change_span(changes: Floats, always: Sequence[float | None]) -> tuple[float, float]:
    """The ends of an axis for relative changes.

    It contains zero, every value of `always`, and most changes, but not distant outliers.
    """
    inside = [one for one in always if one is not None]
    known = np.sort(changes[~np.isnan(changes)])
    edge = int(_CUT * (len(known) - 1))
    usual = [float(known[edge]), float(known[-1 - edge])] if len(known) else []
    low, high = min([0.0, *inside, *usual]), max([0.0, *inside, *usual])
    room = 0.12 * (high - low) or 0.01
    return low - room, high + room


def effect_axis(ends: Sequence[float], margin: float) -> dict[str, object]:
    """The axis of the forest chart: linear, or with logarithmic ends if some effects are large."""
    unit = max(margin, 0.01)
    most = max([1.5 * unit, *(abs(end) for end in ends)])
    low = -min(most, 1.0) if min(ends, default=0.0) < 0 else -1.5 * unit
    linear_to = unit if most > 12 * unit else 1e6
    axis = {"lo": 1.06 * min(low, -1.5 * unit), "hi": 1.06 * most, "linear_to": linear_to}
    return {**axis, "ticks": _ticks(axis["lo"], axis["hi"], linear_to)}


def place(value: float, axis: dict[str, object]) -> float:
    """The position of `value` on the axis, from 0 to 1."""
    lo, hi, unit = (float(str(axis[key])) for key in ("lo", "hi", "linear_to"))
    start = _symlog(lo, unit)
    return (_symlog(value, unit) - start) / (_symlog(hi, unit) - start)


def _symlog(value: float, unit: float) -> float:
    return math.copysign(math.log1p(abs(value) / unit), value)


def _ticks(lo: float, hi: float, linear_to: float) -> list[float]:
    """Round numbers for the axis, zero among them, at least a tenth of its length apart."""
    axis: dict[str, object] = {"lo": lo, "hi": hi, "linear_to": linear_to}
    chosen = [0.0]
    step = _even_step(lo, hi)
    wanted = _STEPS if linear_to < 1e3 else tuple(step * i for i in range(1, 8))
    for sign in (-1, 1):
        last = 0.0
        for one in wanted:
            if lo <= sign * one <= hi and _are_far_apart(sign * one, last, axis):
                last = sign * one
                chosen.append(round(last, 6))
    return sorted(chosen)


def _are_far_apart(value: float, other: float, axis: dict[str, object]) -> bool:
    return abs(place(value, axis) - place(other, axis)) > 0.085


def _even_step(lo: float, hi: float) -> float:
    rough = (hi - lo) / 6
    size = 10.0 ** math.floor(math.log10(rough))
    return next(size * k for k in (1, 2, 5, 10) if size * k >= rough)
