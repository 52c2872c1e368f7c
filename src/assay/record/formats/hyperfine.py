"""Reads what `hyperfine --export-json` writes: one launch for each run of a command.

    record = parse(Path("hyperfine.json").read_bytes(), "hyperfine.json")
    record.samples[0].values["real_time"]      # seconds, of the first run

User and system time are left out: hyperfine keeps only their means, and one mean gives no interval.
"""

from collections.abc import Iterator

import msgspec

from assay.model import Record, Sample
from assay.record.formats.checks import (
    decode_json,
    has_keys,
    made_record,
    numbered_launches,
    times_of,
)


class _Result(msgspec.Struct, frozen=True):
    command: str
    mean: float
    times: list[float] | None = None
    memory_usage_byte: list[float] | None = None


class _Report(msgspec.Struct, frozen=True):
    results: list[_Result]


def looks_like(data: bytes) -> bool:
    """Whether this is hyperfine's JSON, by its keys."""
    return has_keys(data, "results", "command", "mean")


def parse(data: bytes, origin: str) -> Record:
    """The record in an export of hyperfine; `origin` names it in messages.

    Times are in seconds, memory in bytes. Raises `InputError` where the file is of another shape.
    """
    report = decode_json(data, _Report, origin, "hyperfine's JSON")
    samples = [sample for result in report.results for sample in _launches(result, origin)]
    return made_record(numbered_launches(samples), origin, "hyperfine")


def _launches(result: _Result, origin: str) -> Iterator[Sample]:
    name = result.command
    times = times_of(result.times or [result.mean], name, origin)
    memory = times_of(result.memory_usage_byte or [], name, origin, "memory_usage_byte")
    every_run = len(memory) == len(times)
    for run, time_s in enumerate(times):
        values: dict[str, tuple[float, ...]] = {"real_time": (time_s,)}
        if every_run:
            values["max_rss"] = (memory[run],)
        yield Sample(benchmark=name, values=values, time_unit="s", iterations=1)
