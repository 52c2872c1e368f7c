"""Formats numbers and names, in the same way in every medium.

quantity(1234.5, "ns")     '1.23 us'
change(0.0512)             '+5.1 %'
interval(0.01, 0.023)      '+1.0 .. +2.3 %'
name("a\\x1b[31mb")         'a\\\\x1b[31mb'
"""

import math
import re
import unicodedata

from assay import plurals
from assay.model import Comparison
from assay.units import TIME_UNITS_NS, Better, metric

_TIME_STEPS = (("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9))
_DECIMAL_STEPS = (("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12))
_BINARY_STEPS = (("B", 1.0), ("KiB", 2.0**10), ("MiB", 2.0**20), ("GiB", 2.0**30))
LONGEST_NAME = 120
# From this fraction on (9.0 is 900 %) a change is written as a factor: percent would mislead.
LARGE_CHANGE = 9.0
_LONGEST_WHOLE = 1e15  # numbers from here on are written with a power of ten
_BIDI_CONTROLS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

# Code points that are not characters, and are not allowed in XML.
_NO_CHARACTER = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")

_MORE_OR_LESS = {"time": ("slower", "faster"), "B": ("larger", "smaller"), "1": ("more", "fewer")}


def quantity(value: float, unit: str) -> str:
    """A value in its unit, scaled so that one to three digits are before the decimal point.

    NaN means that it was not measured, and becomes a dash.
    """
    if math.isnan(value):
        return "-"
    if unit in TIME_UNITS_NS:
        return _scaled(value * TIME_UNITS_NS[unit], _TIME_STEPS)
    if unit == "B":
        return _scaled(value, _BINARY_STEPS)
    number = _scaled(value, _DECIMAL_STEPS).rstrip()
    if unit.startswith("1"):
        return number + unit.removeprefix("1")  # '1.5G' of "1", '1.5G/s' of "1/s"
    return f"{number}{'' if number[-1:].isalpha() else ' '}{unit}"


def amounts(one: Comparison) -> tuple[str, str]:
    """The values of base and candidate; counts of instructions that never vary have all digits."""
    if one.metric == "instructions" and one.low is not None and one.low == one.high:
        return _with_all_digits(one.base), _with_all_digits(one.candidate)
    return quantity(one.base, one.unit), quantity(one.candidate, one.unit)


def shown_unit(value: float, unit: str) -> tuple[float, str]:
    """For values near `value` on an axis: what to divide them by, and the unit of the result."""
    if unit in TIME_UNITS_NS:
        name_here, size = _step(value * TIME_UNITS_NS[unit], _TIME_STEPS)
        return size / TIME_UNITS_NS[unit], name_here
    if unit == "B":
        name_here, size = _step(value, _BINARY_STEPS)
        return size, name_here
    prefix, size = _step(value, _DECIMAL_STEPS)
    return size, prefix + unit.removeprefix("1")


def in_ns(value: float, unit: str) -> float:
    """A time in nanoseconds, to sort by; other values as they are."""
    return value * TIME_UNITS_NS.get(unit, 1.0)


def change(fraction: float) -> str:
    """A relative change: signed percent, or a factor where percent would mislead."""
    return factor(fraction) if fraction >= LARGE_CHANGE else f"{_signed(fraction)} %"


def factor(fraction: float) -> str:
    """A relative change as a factor, mostly without a power of ten: 'x23', 'x2,273'."""
    times = fraction + 1
    is_whole = 999.5 <= times < _LONGEST_WHOLE
    return f"x{times:,.0f}" if is_whole else f"x{times:.3g}"


def points(fraction: float) -> str:
    """A relative change in percent without the sign %: '5.1', '0.35', '-2.0'."""
    return _signed(fraction).removeprefix("+")


def interval(low: float | None, high: float | None) -> str:
    """The interval of a change; a dash where there is none."""
    if low is None or high is None:
        return "-"
    if low == high:
        return "exact"
    if high >= LARGE_CHANGE:
        return f"{factor(low)} .. {factor(high)}"
    return f"{_signed(low)} .. {_signed(high)} %"


def quantity_interval(low: float | None, high: float | None, unit: str) -> str:
    """The interval of a value; a dash where there is none."""
    if low is None or high is None:
        return "-"
    return f"{quantity(low, unit)} .. {quantity(high, unit)}"


def interval_of(comparison: Comparison) -> str:
    """The interval of a comparison, marked if it is valid only by itself."""
    text = interval(comparison.low, comparison.high)
    return f"{text} (single)" if comparison.single and text != "-" else text


def percent(fraction: float) -> str:
    """A share or a margin: '2 %', '0.5 %'."""
    return f"{100 * fraction:.3g} %"


def duration(seconds: float) -> str:
    """A duration: '42 s', '3 min 05 s', '2 h 10 min'."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def record_line(where: str, seed: object = None) -> str:
    """The line that says where the record is, and the seed that repeats its random order."""
    return f"record: {where}" + ("" if seed is None else f" (seed {seed})")


def visible(text: str) -> str:
    """A whole name or message as one line, with invisible characters escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _harmless(char) else _escaped(char) for char in text)


def name(text: str, longest: int = LONGEST_NAME) -> str:
    """Any name as one line of visible characters; a long one loses its middle."""
    whole = visible(text)
    if len(whole) <= longest:
        return whole
    half = (longest - 1) // 2
    return f"{whole[:half]}…{whole[-(longest - 1 - half) :]}"


def verdict_word(comparison: Comparison) -> str:
    """A verdict in words that fit its metric: for allocations, for
    example, "fewer", not "faster".
    """
    verdict = comparison.verdict
    known = metric(comparison.metric)
    if known.better is Better.HIGHER:
        return str(verdict)
    more, less = _MORE_OR_LESS.get(known.unit, ("slower", "faster"))
    return str(verdict).replace("slower", more).replace("faster", less)


def count(number: int, noun: str) -> str:
    """A number with its noun, such as '1 benchmark' or '3 benchmarks'."""
    return plurals.count(number, noun)


def _signed(fraction: float) -> str:
    points = 100 * fraction
    if not abs(points) < _LONGEST_WHOLE:
        return f"{points:+.3g}"
    digits = 2 if abs(points) < 0.995 else 1
    text = f"{points:+.{digits}f}"
    return text.replace("-", "+") if float(text) == 0 else text


def _with_all_digits(value: float) -> str:
    """Such as '6,006.5' or '1,234,567'."""
    if not abs(value) < _LONGEST_WHOLE:
        return f"{value:.3g}"
    return f"{value:,.2f}".rstrip("0").rstrip(".") if value < 1e4 else f"{value:,.0f}"


def _scaled(value: float, steps: tuple[tuple[str, float], ...]) -> str:
    suffix, size = _step(value, steps)
    scaled = value / size
    is_whole = 999.5 <= abs(scaled) < _LONGEST_WHOLE
    text = f"{scaled:.0f}" if is_whole else f"{scaled:.3g}"
    return f"{text} {suffix}" if len(suffix) > 1 or suffix in ("s", "B") else f"{text}{suffix}"


def _step(value: float, steps: tuple[tuple[str, float], ...]) -> tuple[str, float]:
    """The largest unit in which the value is at least 1, with its size; the
    smallest one if none fits.
    """
    fitting = [step for step in steps if abs(value) >= step[1] * 0.9995]
    return fitting[-1] if fitting else steps[0]


def _harmless(char: str) -> bool:
    return (
        unicodedata.category(char) not in ("Cc", "Cs", "Co", "Zl", "Zp")
        and char not in _BIDI_CONTROLS
        and not _NO_CHARACTER.match(char)
    )


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
