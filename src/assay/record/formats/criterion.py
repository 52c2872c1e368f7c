"""Reads what Criterion.rs leaves in `target/criterion`: that folder, or one of its files.

    record = read(Path("target/criterion"))          # every benchmark, as last measured
    record = parse(data, "target/criterion/join/64/new/sample.json")
    record.samples[0].values["real_time"]            # ns an iteration, a value for each sample

`sample.json` holds how many iterations each sample had and how long they took together.
Where only `estimates.json` is left, its slope (or mean) is the only value. The benchmark's name
is in `benchmark.json` beside them; without that file, the folders above `new` name it.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.model import Record, Sample
from assay.record.formats.checks import (
    AGAIN,
    decode_json,
    has_keys,
    made_record,
    numbered_launches,
    times_of,
)
from assay.small_files import MB, read_results, read_small

# Metric of Assay by Criterion's kind of throughput.
_PER_SECOND = {"Elements": "items_per_second", "Bytes": "bytes_per_second"}
# Criterion's files that hold a benchmark's times, the preferred one first.
_FILES = ("sample.json", "estimates.json")
_DEEPEST = 4  # levels of folders searched below target/criterion: group, function, parameter
_HINT = "give target/criterion, or a sample.json in it"


class _SampleFile(msgspec.Struct, frozen=True):
    iters: list[float]
    times: list[float]


class _Point(msgspec.Struct, frozen=True):
    point_estimate: float


class _Estimates(msgspec.Struct, frozen=True):
    mean: _Point
    slope: _Point | None = None


class _BenchmarkFile(msgspec.Struct, frozen=True):
    full_id: str
    throughput: dict[str, float | dict[str, float]] | None = None


def looks_like(data: bytes) -> bool:
    """Whether this is one of Criterion's files, by its keys."""
    return (
        has_keys(data, "iters", "times")
        or has_keys(data, "mean", "point_estimate")
        or has_keys(data, "full_id", "directory_name")
    )


def is_folder(path: Path) -> bool:
    """Whether it is a folder that holds results of Criterion: `target/criterion`, or one in it."""
    return path.is_dir() and next(_result_files(path), None) is not None


def read(folder: Path) -> Record:
    """Every benchmark below `folder`. Raises `InputError` naming the file that is wrong."""
    samples = [
        sample
        for path in sorted(_result_files(folder))
        for sample in parse(read_results(path), str(path)).samples
    ]
    return made_record(numbered_launches(samples), str(folder), "Criterion")


def parse(data: bytes, origin: str) -> Record:
    """The record of one benchmark, from `sample.json` or `estimates.json`; times are in ns.

    `origin` is its path, beside which `benchmark.json` is read. Raises `InputError` where a file
    is of another shape.
    """
    if has_keys(data, "full_id", "directory_name"):
        raise InputError("names a benchmark and holds no times", where=origin, hint=_HINT)
    about = _benchmark_description(Path(origin))
    if has_keys(data, "point_estimate"):
        times, iterations = _estimated_times(data, about.full_id, origin), 0
    else:
        times, iterations = _measured_times(data, about.full_id, origin)
    values = {"real_time": times, **_throughput_metrics(times, about)}
    sample = Sample(benchmark=about.full_id, values=values, iterations=iterations)
    return made_record([sample] if times else [], origin, "Criterion")


def _result_files(folder: Path) -> Iterator[Path]:
    """The file to read of each benchmark: its samples if they are there, else its estimates."""
    for depth in range(_DEEPEST):
        for new in folder.glob("*/" * depth + "new"):
            yield from [path for name in _FILES if (path := new / name).is_file()][:1]
    yield from [path for name in _FILES if (path := folder / name).is_file()][:1]


def _measured_times(data: bytes, name: str, origin: str) -> tuple[tuple[float, ...], int]:
    found = decode_json(data, _SampleFile, origin, "Criterion's sample.json")
    if len(found.iters) != len(found.times) or not all(count >= 1 for count in found.iters):
        what = f"has {len(found.times)} times for {len(found.iters)} counts of iterations"
        raise InputError(what, where=origin, hint=AGAIN)
    each = [took / count for took, count in zip(found.times, found.iters, strict=True)]
    total = sum(times_of(found.iters, name, origin, "iters"))
    return times_of(each, name, origin), int(total)


def _estimated_times(data: bytes, name: str, origin: str) -> tuple[float, ...]:
    found = decode_json(data, _Estimates, origin, "Criterion's estimates.json")
    return times_of([(found.slope or found.mean).point_estimate], name, origin)


def _benchmark_description(path: Path) -> _BenchmarkFile:
    beside = path.with_name("benchmark.json")
    try:
        data = read_small(beside, MB)
    except (InputError, ValueError):
        folders = [part for part in path.parts[:-1] if part not in ("/", ".", "new", "base")]
        start = folders.index("criterion") + 1 if "criterion" in folders else -1
        return _BenchmarkFile(full_id="/".join(folders[start:]) or path.stem)
    return decode_json(data, _BenchmarkFile, str(beside), "Criterion's benchmark.json")


def _throughput_metrics(
    times: tuple[float, ...], about: _BenchmarkFile
) -> dict[str, tuple[float, ...]]:
    """Elements or bytes a second, computed from each time in nanoseconds."""
    found = {}
    for kind, amount in (about.throughput or {}).items():
        if kind in _PER_SECOND and isinstance(amount, int | float) and min(times, default=0) > 0:
            found[_PER_SECOND[kind]] = tuple(amount * 1e9 / time_ns for time_ns in times)
    return found
