"""Reads Gungraun's summaries (iai-callgrind, before it was renamed): counts, which do not vary.

    record = read(Path("target/gungraun"))           # made with --save-summary=json
    record = parse(Path("bench.ndjson").read_bytes(), "bench.ndjson")   # --output-format=json
    record.samples[0].values["instructions"]         # Callgrind's Ir

Each benchmark is one launch with one value for each event. `Ir` is `instructions`,
`EstimatedCycles` is `cycles`, misses are `l1d-read-misses` and the like; other events keep
their names. Rates (`L1HitRate`) and `TotalRW` follow from the counts and are left out.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from assay.errors import InputError
from assay.model import Record, Sample
from assay.record.formats.checks import (
    AGAIN,
    decode_json,
    finite_metrics,
    has_keys,
    made_record,
    numbered_launches,
)
from assay.small_files import read_results

WHAT = "a summary of Gungraun or iai-callgrind"
_EVENTS = {
    "Ir": "instructions",
    "EstimatedCycles": "cycles",
    "I1mr": "l1i-misses",
    "D1mr": "l1d-read-misses",
    "D1mw": "l1d-write-misses",
    "ILmr": "ll-instruction-misses",
    "DLmr": "ll-read-misses",
    "DLmw": "ll-write-misses",
    "Bcm": "branch-misses",
    "Dr": "data-reads",
    "Dw": "data-writes",
    "L1hits": "l1-hits",
    "LLhits": "ll-hits",
    "RamHits": "ram-hits",
    "TotalBytes": "bytes",
    "TotalBlocks": "allocs",
    "AtTGmaxBytes": "peak_bytes",
}
_ECHO = re.compile(r".*Rate|TotalRW")  # events that follow from others: rates and sums
_DEEPEST = 5  # levels of folders searched: package, benchmark, group, function.id


class _Profile(msgspec.Struct, frozen=True):
    tool: str = ""
    data: dict[str, Any] = {}  # counts, in version 7 and later
    summaries: dict[str, Any] = {}  # counts, before version 7


class _Summary(msgspec.Struct, frozen=True):
    module_path: str
    profiles: list[_Profile] = []
    callgrind_summary: dict[str, Any] | None = None  # counts, before version 4
    id: str | None = None
    version: str = ""


def looks_like(data: bytes) -> bool:
    """Whether this is a summary of Gungraun or iai-callgrind, by its keys."""
    return has_keys(data, "module_path", "benchmark_exe")


def is_folder(path: Path) -> bool:
    """Whether `path` is `target/gungraun` or `target/iai`, with summaries in it."""
    return path.is_dir() and next(_summaries(path), None) is not None


def read(folder: Path) -> Record:
    """Every benchmark below `folder`. Raises `InputError` naming the file that is wrong."""
    samples = [
        sample
        for path in sorted(_summaries(folder))
        for sample in parse(read_results(path), str(path)).samples
    ]
    return made_record(numbered_launches(samples), str(folder), "Gungraun")


def parse(data: bytes, origin: str) -> Record:
    """The record in one summary, or in several with one on each line; `origin` names the file.

    Values are counts of a whole run. Raises `InputError` saying where it is wrong.
    """
    lines = data.splitlines()
    if len(lines) > 1 and all(line.startswith(b"{") for line in lines if line.strip()):
        found = [
            _sample(line, f"{origin}: line {number}")
            for number, line in enumerate(lines, 1)
            if line.strip()
        ]
    else:
        found = [_sample(data, origin)]
    return made_record(numbered_launches(found), origin, "Gungraun")


def _summaries(folder: Path) -> Iterator[Path]:
    for depth in range(_DEEPEST):
        yield from folder.glob("*/" * depth + "summary.json")


def _sample(data: bytes, origin: str) -> Sample:
    summary = decode_json(data, _Summary, origin, WHAT)
    events: dict[str, Any] = {}
    for group in _event_groups(summary):
        events |= {
            name: _new_value(one) for name, one in group.items() if not _ECHO.fullmatch(name)
        }
    values = {_EVENTS.get(name, name): value for name, value in finite_metrics(events).items()}
    name = f"{summary.module_path}/{summary.id}" if summary.id else summary.module_path
    if not values:
        raise InputError(f"holds no count of {name!r}", where=origin, hint=AGAIN)
    return Sample(benchmark=name, values=values, iterations=1)


def _event_groups(summary: _Summary) -> Iterator[dict[str, Any]]:
    """The event counts of each tool's whole run, which each version of the format has elsewhere."""
    for profile in summary.profiles:
        yield _nested_object(profile.data, "total", "metrics")
        for events in _nested_object(profile.summaries, "total", "summary").values():
            yield events if isinstance(events, dict) else {}
    yield _nested_object(summary.callgrind_summary or {}, "callgrind_run", "total", "events")


def _nested_object(document: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def _new_value(event: Any) -> Any:
    """The present count of an event, not that of the run before: `{"values": {"new": 4}}`, in older
    files `{"Both": [4, 3]}`."""
    if new := _nested_object(event, "values"):
        return new.get("new")
    metrics = _nested_object(event, "metrics")
    both = metrics.get("Both")
    new_one = both[0] if isinstance(both, list) and both else metrics.get("Left")
    if isinstance(new_one, dict):  # version 5 on: {"Int": 4}
        new_one = next(iter(new_one.values()), None)
    return new_one
