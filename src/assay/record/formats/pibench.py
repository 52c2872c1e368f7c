"""Reads the report that PiBench prints, of its first version and later ones, and of `assay index`.

    record = parse(Path("report.txt").read_bytes(), "report.txt")
    record.samples[0].values["real_time"]      # ns an operation, of all threads together

One report is one launch; several in one file are several. Names and metrics are those that
`assay index --json` writes: `stlmap_wrapper/all` and, where it counts them, `.../read`.
"""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from assay.errors import InputError
from assay.model import Record, Sample
from assay.record.formats.checks import (
    AGAIN,
    HEAD_BYTES,
    made_record,
    number_of,
    numbered_launches,
    times_of,
)

# In these patterns no two neighbouring parts match the same letters, or matching could take ages.
_FACT = re.compile(r"\s+(?:- )?([^\s:][^:]*):(.*)")  # an indented line: key, colon, value
# A heading in PiBench's report: a line that is not indented and holds a colon.
_HEADING = re.compile(r"([^\s:(][^:(]*)(?:\([^:]*)?:.*")
_FEW_DIGITS = re.compile(r"\d{1,6}")  # a number of CPUs that can be believed
_KINDS = ("Insert", "Read", "Update", "Remove", "Scan")  # operations that PiBench counts separately
_COUNTERS = {  # metric of Assay by PiBench's name of a counter
    "L3 misses": "cache-misses",
    "DRAM Reads (bytes)": "dram-read-bytes",
    "DRAM Writes (bytes)": "dram-write-bytes",
    "NVM Reads (bytes)": "pmem-read-bytes",
    "NVM Writes (bytes)": "pmem-write-bytes",
}
# Metric of Assay by PiBench's name of a latency that is no percentile.
_QUANTILES = {"min": "latency_min", "max": "max"}

Sections = dict[str, dict[str, str]]  # by heading of the report: the keys and values below it


def looks_like(data: bytes) -> bool:
    """Whether this is a report of PiBench: its headings are in it."""
    head = data[:HEAD_BYTES]
    return b"Benchmark Options:" in head and b"Key distribution:" in head


def parse(data: bytes, origin: str) -> Record:
    """The record in PiBench's report or reports; `origin` names the file in messages.

    Times are in ns an operation, of all threads together. Raises `InputError` naming what is
    missing or wrong.
    """
    text = data.decode(errors="replace")
    reports = [_sections(part) for part in re.split(r"(?m)^(?=Environment:)", text)]
    found = [one for one in reports if "Benchmark Options" in one]
    samples = [sample for one in found for sample in _samples(one, origin)]
    environment = found[0].get("Environment", {}) if found else {}
    cpus, _, model = environment.get("CPU", "").partition(" * ")
    host = {"cpu_model": model, "kernel": environment.get("Kernel")}
    return made_record(
        numbered_launches(samples),
        origin,
        "PiBench",
        context={
            "date": environment.get("Time"),
            "num_cpus": int(cpus) if _FEW_DIGITS.fullmatch(cpus) else 0,
        },
        host={key: value for key, value in host.items() if value},
        pibench=found[0]["Benchmark Options"] if found else {},
    )


def _sections(text: str) -> Sections:
    found: Sections = {}
    below: dict[str, str] = {}
    for line in text.splitlines():
        if fact := _FACT.fullmatch(line):
            below[fact[1].strip()] = fact[2].strip()
        elif heading := _HEADING.fullmatch(line):
            below = found.setdefault(heading[1].strip(), {})
    return found


def _samples(report: Sections, origin: str) -> Iterator[Sample]:
    options = report["Benchmark Options"]
    everything = {key: value for part in report.values() for key, value in part.items()}
    run_s = _number(everything, "Run time", origin, "milliseconds") / 1e3
    operations = _operations(report, everything, run_s, origin)
    if run_s <= 0 or operations <= 0:
        raise InputError("has no operation in its run time", where=origin, hint=AGAIN)
    name = PurePath(options.get("Target", "pibench")).stem or "pibench"
    shared: dict[str, Any] = {
        "threads": max(1, int(_number(options, "# Threads", origin))),
        "time_unit": "ns",
    }
    values = _metrics_of_rate(operations / run_s)
    values |= _quantiles(report.get("Latencies", {}), origin)
    values |= {
        ours: (_number(everything, theirs, origin) / operations,)
        for theirs, ours in _COUNTERS.items()
        if theirs in everything
    }
    yield Sample(benchmark=f"{name}/all", values=values, iterations=int(operations), **shared)
    for kind in _KINDS:
        if rate := _optional_number(everything, f"{kind} completed", origin):
            yield Sample(
                benchmark=f"{name}/{kind.lower()}",
                values=_metrics_of_rate(rate),
                iterations=int(min(rate * run_s, operations)),
                **shared,
            )


def _operations(report: Sections, everything: dict[str, str], run_s: float, origin: str) -> float:
    """How many operations were done; PiBench's first version says only how many were asked for."""
    if done := _optional_number(report.get("Results", {}), "Operations", origin):
        return done
    if rate := _optional_number(everything, "Completed", origin):
        return rate * run_s
    return _number(report["Benchmark Options"], "# Operations", origin)


def _metrics_of_rate(per_second: float) -> dict[str, tuple[float, ...]]:
    return {"real_time": (1e9 / per_second,), "items_per_second": (per_second,)}


def _quantiles(latencies: dict[str, str], origin: str) -> dict[str, tuple[float, ...]]:
    found = {}
    for key, text in latencies.items():
        metric = _QUANTILES.get(key) or (f"p{key[:-1]}" if key.endswith("%") else "")
        if metric:
            found[metric] = times_of([number_of(text, key, origin)], "all", origin, key)
    return found


def _optional_number(said: dict[str, str], key: str, origin: str) -> float:
    """The number that a report gives for `key`; 0 where it does not give it."""
    return _number(said, key, origin) if key in said else 0.0


def _number(said: dict[str, str], key: str, origin: str, unit: str = "") -> float:
    """The number that a report gives for `key`. Raises `InputError` where it is missing, or in
    another unit than `unit`."""
    if key not in said:
        raise InputError(f"does not say `{key}`", where=origin, hint=AGAIN)
    words = said[key].split()
    if unit and words[1:2] != [unit]:
        raise InputError(f"gives `{key}` in other units than {unit}", where=origin, hint=AGAIN)
    value = number_of(words[0] if words else "", key, origin)
    return times_of([value], "all", origin, key)[0]
