"""Writes a record as OpenMetrics text, for Prometheus and whatever else reads its format.

    text = openmetrics_text(record)

One gauge for each metric, in base units (seconds, bytes), its inner samples as their mean, and
the benchmark, side, condition, round and launch as labels. A metric's name is Assay's with
`assay_` before it, `_seconds` or `_bytes` after it, and `_` for each character not allowed.
"""

import math
import re
from collections.abc import Iterator, Mapping

from assay.model import Record, Sample
from assay.units import TIME, Metric, metric, time_factor

_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
# Assay's unit -> OpenMetrics's base unit, and the factor from one to the other.
_UNITS = {TIME: ("seconds", 1.0), "ns": ("seconds", 1e-9), "B": ("bytes", 1.0)}


def openmetrics_text(record: Record) -> str:
    """A record as OpenMetrics text: one gauge for each metric, in base units, ended by `# EOF`."""
    families: dict[str, tuple[str, list[str]]] = {}
    for number, sample in enumerate(record.samples):
        for name, values in sample.values.items():
            if values:
                family, unit, factor = _family(metric(name), sample.time_unit)
                _, lines = families.setdefault(family, (unit, []))
                mean = math.fsum(values) / len(values) * factor
                lines.append(f"{family}{_labels(sample, number, name)} {_number(mean)}")
    return "".join(f"{line}\n" for line in (*_lines(families), "# EOF"))


def _lines(families: Mapping[str, tuple[str, list[str]]]) -> Iterator[str]:
    """All lines, each metric's family together, because the format does not permit it in two
    places."""
    for family, (unit, lines) in families.items():
        yield f"# TYPE {family} gauge"
        if unit:
            yield f"# UNIT {family} {unit}"
        yield from lines


def _family(of: Metric, time_unit: str) -> tuple[str, str, float]:
    unit, factor = _UNITS.get(of.unit, ("", 1.0))
    if of.unit == TIME:
        factor = time_factor(time_unit, "s")
    name = f"assay_{_allowed_name(of.name)}"
    if unit and not name.endswith(f"_{unit}"):
        name = f"{name}_{unit}"
    return name, unit, factor


def _labels(sample: Sample, number: int, name: str) -> str:
    """A sample's labels. `row` differs where samples are alike in all else; `metric` is there where
    the gauge's name could not hold the metric's, as `a-b`."""
    given = {
        "benchmark": sample.benchmark,
        "label": sample.label or None,
        "side": sample.side,
        "condition": sample.condition,
        "threads": sample.threads,
        "round": sample.round,
        "launch": sample.launch,
        "row": number,
        "metric": name if _allowed_name(name) != name else None,
    }
    written = (
        f'{key}="{_escaped(str(value))}"' for key, value in given.items() if value is not None
    )
    return "{" + ",".join(written) + "}"


def _allowed_name(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_]", "_", name)


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return repr(value) if math.isfinite(value) else f"{value:+}".replace("inf", "Inf")


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)
