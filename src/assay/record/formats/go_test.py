"""Go's benchmark lines, read from `go test -bench` and written for `benchstat`.

    record = parse(Path("new.txt").read_bytes(), "new.txt")
    record.samples[0].values["real_time"]      # ns/op, a value for each repetition
    text = benchstat_text(record)              # benchstat old.txt new.txt

Lines of one name below one heading (`goos:`, `goarch:`, `pkg:`) come from one process
(`-count 10`), so they are one launch; a heading begins the next. `B/op` is `bytes`, `allocs/op` is
`allocs`, `MB/s` is `bytes_per_second`; units of your own (`b.ReportMetric`) keep their names. A
name keeps its `-8`: without it, those of `-cpu 1,8` would be one benchmark, and `Size-8` would
lose a part of its name.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator

import msgspec

from assay.errors import InputError
from assay.model import Failure, Record, Sample, Side
from assay.record.formats.checks import HEAD_BYTES, made_record, number_of, numbered_launches
from assay.units import time_factor

# A result that Go prints: name, iterations, and pairs of a value and a unit.
_LINE = re.compile(r"(Benchmark\S*)\s+(\d{1,18})\s+(\S+\s+\S+.*)")
# A fact that Go prints before its results, such as `goos: linux`.
_FACT = re.compile(r"(goos|goarch|pkg|cpu|toolchain|[a-z][\w-]*): *(.*)")
_TROUBLE = re.compile(r"\s*--- FAIL: (Benchmark\S*)")  # a benchmark that failed
_HEADING = ("goos", "goarch", "pkg")  # facts that a new process prints before its benchmarks
# Go's unit -> our metric, and the factor from Go's unit to ours.
_UNITS = {
    "ns/op": ("real_time", 1.0),
    "sec/op": ("real_time", 1e9),
    "B/op": ("bytes", 1.0),
    "allocs/op": ("allocs", 1.0),
    "MB/s": ("bytes_per_second", 1e6),
    "B/s": ("bytes_per_second", 1.0),
}


class _Launch(msgspec.Struct):
    """The benchmark lines of one name below one heading: one process, so one launch."""

    package: str
    name: str
    side: str
    iterations: int = 0
    values: dict[str, list[float]] = msgspec.field(default_factory=dict)


def looks_like(data: bytes) -> bool:
    """Whether benchmark lines of Go are in it, as text or as `go test -json`."""
    head = data[:HEAD_BYTES]
    if head.startswith(b"{"):
        return b'"Action":"' in head and b'"Output":"' in head
    return (
        re.search(rb"^Benchmark\S*\s+\d+\s+[-+.\deE]+ \S+|^goos: ", head, re.MULTILINE) is not None
    )


def parse(data: bytes, origin: str) -> Record:
    """The record in what `go test -bench` printed; `origin` names it in messages.

    Times are in ns an operation. Raises `InputError` naming the line that is wrong.
    """
    facts: dict[str, str] = {}
    launches: dict[tuple[int, str, str, str], _Launch] = {}
    failures: list[Failure] = []
    process = 0
    above = ""  # the key of the line above: several headings in a row are one
    for number, line in enumerate(_lines(data, origin), 1):
        key = ""
        if row := _LINE.fullmatch(line) if line.startswith("Benchmark") else None:
            own = (facts.get("pkg", ""), row[1], facts.get("side", ""))
            launch = launches.get((process, *own))
            if launch is None:
                launch = launches[process, *own] = _Launch(*own)
            _add_measurement(launch, row, origin, number)
        elif fact := _FACT.fullmatch(line):
            key = fact[1]
            process += key in _HEADING and above not in _HEADING
            facts[key] = fact[2]
        elif trouble := _TROUBLE.match(line):
            failures.append(Failure(benchmark=trouble[1], what="go test says FAIL"))
        above = key
    return _record(launches.values(), facts, failures, origin)


def _record(
    launches: Iterable[_Launch], facts: dict[str, str], failures: list[Failure], origin: str
) -> Record:
    several = len({one.package for one in launches}) > 1
    host = {"cpu_model": facts.get("cpu"), "os": facts.get("goos"), "arch": facts.get("goarch")}
    return made_record(
        numbered_launches(_sample(one, several) for one in launches),
        origin,
        "go test",
        failures=failures,
        host={key: value for key, value in host.items() if value},
    )


def _lines(data: bytes, origin: str) -> Iterable[str]:
    text = data.decode(errors="replace")
    if not text.startswith("{"):
        return text.splitlines()
    return "".join(_printed_text(text, origin)).splitlines()


def _printed_text(text: str, origin: str) -> Iterator[str]:
    """What the test printed, by the events of `go test -json`."""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            event = json.loads(line or "{}")
        except (ValueError, RecursionError):
            where, hint = f"{origin}: line {number}", "is the file complete?"
            raise InputError("is not an event of `go test -json`", where=where, hint=hint) from None
        said = event.get("Output") if isinstance(event, dict) else None
        if isinstance(said, str):
            yield said


def _add_measurement(launch: _Launch, row: re.Match[str], origin: str, number: int) -> None:
    words = row[3].split()
    if len(words) % 2:
        where, hint = f"{origin}: line {number}", "expected pairs of a number and a unit"
        raise InputError(f"{row[0][:80]!r} breaks off", where=where, hint=hint)
    launch.iterations += int(row[2])
    for place in range(0, len(words), 2):
        unit = words[place + 1]
        metric, factor = _UNITS.get(unit) or (unit, 1.0)
        value = _value(words[place], unit, origin, number) * factor
        if metric == "real_time" and value < 0:
            what = f"{launch.name!r} took {words[place]} {unit}"
            raise InputError(what, where=f"{origin}: line {number}")
        launch.values.setdefault(metric, []).append(value)


def _value(word: str, unit: str, origin: str, number: int) -> float:
    """The number that a word of Go's output stands for; `float` reads nearly every one, and
    fast."""
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    return value if math.isfinite(value) else number_of(word, unit, f"{origin}: line {number}")


def _sample(launch: _Launch, several: bool) -> Sample:
    name = f"{launch.package}.{launch.name}" if several else launch.name
    values = {metric: tuple(numbers) for metric, numbers in launch.values.items()}
    side = Side(launch.side) if launch.side in tuple(Side) else None
    return Sample(benchmark=name, values=values, iterations=launch.iterations, side=side)


def benchstat_text(record: Record) -> str:
    """The record in Go's format, with a line for each inner sample: `BenchmarkName iterations
    value unit ...`. Where a record has both sides, `benchstat -col side FILE` compares them.
    """
    lines = [f"{key}: {value}" for key, value in _facts(record)]
    side = None
    for sample in sorted(record.samples, key=lambda one: one.side or ""):
        if sample.side is not None and sample.side != side:
            lines.append(f"side: {sample.side}")
        side = sample.side
        lines += _benchstat_lines(sample)
    return "".join(f"{line}\n" for line in lines)


def _facts(record: Record) -> Iterator[tuple[str, str]]:
    if model := record.facts.host.cpu_model:
        yield "cpu", " ".join(model.split())


def _benchstat_lines(sample: Sample) -> Iterator[str]:
    """A sample's lines; benchstat demands a name without spaces and at least one iteration."""
    name = _go_name(sample.benchmark)
    columns = {metric: values for metric, values in sample.values.items() if values}
    longest = max(map(len, columns.values()), default=0)
    for place in range(longest):
        pairs = [
            _go_value(metric, values[place], sample.time_unit)
            for metric, values in columns.items()
            if place < len(values)
        ]
        yield "\t".join((name, str(max(1, sample.iterations)), *pairs))


def _go_name(benchmark: str) -> str:
    """The name as benchstat accepts it: no spaces, and "Benchmark" before it."""
    word = re.sub(r"\s+", "_", "".join(c if c.isprintable() else "_" for c in benchmark))
    if re.match(r"Benchmark(?![a-z])", word):
        return word
    return f"Benchmark{word[:1].upper()}{word[1:]}"


def _go_value(metric: str, value: float, time_unit: str) -> str:
    if metric == "real_time":
        return f"{value * time_factor(time_unit, 'ns'):.10g} ns/op"
    if metric in ("cpu_time", "user_time", "system_time", "manual_time"):
        return f"{value * time_factor(time_unit, 'ns'):.10g} {metric.replace('_', '-')}-ns/op"
    names = {ours: (theirs, factor) for theirs, (ours, factor) in reversed(_UNITS.items())}
    unit, factor = names.get(metric, (re.sub(r"\s+", "_", metric), 1.0))
    return f"{value / factor:.10g} {unit}"
