"""Reads nanobench's JSON (its template `json`): one process, so one launch, epochs as its samples.

record = parse(Path("nanobench.json").read_bytes(), "nanobench.json")
record.samples[0].values["real_time"]      # seconds an iteration, a value for each epoch

Its other template, `pyperf`, is read as pyperf's. A counter that is 0 in every epoch was not
counted (nanobench writes so where `perf_event_open` is not permitted) and is left out.
"""

import msgspec

from assay.model import Record, Sample
from assay.record.formats.checks import (
    decode_json,
    has_keys,
    made_record,
    numbered_launches,
    times_of,
)

# nanobench's name of a counter -> ours, which has a better direction.
_COUNTERS = {
    "instructions": "instructions",
    "cpucycles": "cycles",
    "branchinstructions": "branches",
    "branchmisses": "branch-misses",
    "contextswitches": "context-switches",
    "pagefaults": "page-faults",
}


class _Epoch(msgspec.Struct, frozen=True):
    elapsed: float
    iterations: float = 1
    instructions: float = 0
    cpucycles: float = 0
    branchinstructions: float = 0
    branchmisses: float = 0
    contextswitches: float = 0
    pagefaults: float = 0


class _Result(msgspec.Struct, frozen=True):
    name: str
    measurements: list[_Epoch]
    title: str = ""
    batch: float = 1


class _Report(msgspec.Struct, frozen=True):
    results: list[_Result]


def looks_like(data: bytes) -> bool:
    """Whether this is nanobench's JSON, by its keys."""
    return has_keys(data, "results", "title", "epochs")


def parse(data: bytes, origin: str) -> Record:
    """The record in nanobench's results; `origin` names the file in messages. Times are in seconds.

    Raises `InputError` where the file is of another shape.
    """
    report = decode_json(data, _Report, origin, "nanobench's JSON")
    samples = [_sample(one, origin) for one in report.results if one.measurements]
    return made_record(numbered_launches(samples), origin, "nanobench")


def _sample(result: _Result, origin: str) -> Sample:
    name = f"{result.title}/{result.name}" if result.title else result.name
    epochs = result.measurements
    times = times_of([one.elapsed for one in epochs], name, origin)
    values = {"real_time": times}
    if result.batch > 0 and result.batch != 1 and min(times) > 0:
        values["items_per_second"] = tuple(result.batch / time_s for time_s in times)
    for theirs, ours in _COUNTERS.items():
        counts = times_of([getattr(one, theirs) for one in epochs], name, origin, theirs)
        if any(counts):
            values[ours] = counts
    iterations = sum(times_of([one.iterations for one in epochs], name, origin, "iterations"))
    return Sample(benchmark=name, values=values, time_unit="s", iterations=int(iterations))
