"""Behaves as a Google Benchmark 1.5.0 executable does: its flags, its error messages, its JSON.

    older_benchmark.py --benchmark_list_tests=true
    older_benchmark.py --slowed_by=1.5 --benchmark_out=out.json
    older_benchmark.py --lenient --benchmark_min_time=1x

Times are drawn at random, not measured, so nothing here waits. `--lenient` makes it behave as an
executable with a main() of its own that accepts flags which the library does not know.
"""

import json
import random
import re
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

Row = dict[str, Any]


@dataclass(frozen=True)
class Benchmark:
    """A made-up benchmark: its time in its unit, or the error that it ends with instead."""

    name: str
    takes: float
    time_unit: str = "ns"
    threads: int = 1
    more: Row = field(default_factory=dict)
    error: str = ""


BENCHMARKS = (
    Benchmark("copy/8", 56.0, more={"bytes_per_second": 1.4e8}),
    Benchmark("copy/4096", 98.0, more={"bytes_per_second": 4.1e10}),
    Benchmark('odd<T*>/"x"', 0.047, "us", more={"label": 'a "label"'}),
    Benchmark("spin/real_time/threads:2", 310.0, threads=2),
    Benchmark("skips", 0.0, error="no luck"),
)
PER_SECOND = {"ns": 1e9, "us": 1e6}


def truth(text: str) -> bool:
    return not text or (text[0].isalnum() and text[0] not in "0fFnN")


def number(text: str) -> float:
    return float(text)


# Flags of 1.5.0: how a value is read, what it is said to have to be, and its default.
FLAGS: dict[str, tuple[Callable[[str], Any], str, Any]] = {
    "benchmark_list_tests": (truth, "", False),
    "benchmark_filter": (str, "", "."),
    "benchmark_min_time": (number, "a double", 0.5),
    "benchmark_repetitions": (int, "a 32-bit integer", 1),
    "benchmark_report_aggregates_only": (truth, "", False),
    "benchmark_display_aggregates_only": (truth, "", False),
    "benchmark_format": (str, "", "console"),
    "benchmark_out": (str, "", ""),
    "benchmark_out_format": (str, "", "json"),
    "benchmark_color": (str, "", "auto"),
    "benchmark_counters_tabular": (truth, "", False),
    "v": (int, "a 32-bit integer", 0),
    "slowed_by": (number, "a double", 1.0),  # this one and the next are not the library's
    "lenient": (truth, "", False),
}


def parsed(arguments: list[str]) -> tuple[dict[str, Any], list[str]]:
    """The values of all flags, and the arguments that are no flags or have a wrong value."""
    flags = {name: default for name, (_, _, default) in FLAGS.items()}
    unrecognized = []
    for argument in arguments:
        name, _, text = argument.removeprefix("--").partition("=")
        read, wanted, _ = FLAGS.get(name, (None, "", None))
        try:
            if read is None or not argument.startswith("--"):
                unrecognized.append(argument)
            else:
                flags[name] = read(text)
        except ValueError:
            says = f'is expected to be {wanted}, but actually has value "{text}".'
            print(f"The value of flag --{name} {says}", file=sys.stderr)
            unrecognized.append(argument)
    return flags, unrecognized


def rows_of(one: Benchmark, flags: dict[str, Any]) -> Iterator[Row]:
    """The rows of its repetitions, then the aggregates; all say 0 repetitions, as in 1.5.0."""
    repetitions, noise = flags["benchmark_repetitions"], random.Random()
    takes = one.takes * flags["slowed_by"]
    iterations = (
        round(1.4 * flags["benchmark_min_time"] * PER_SECOND[one.time_unit] / takes) if takes else 1
    )
    times = [takes * noise.lognormvariate(0.0, 0.005) for _ in range(repetitions)]
    common = {"run_name": one.name, "repetitions": 0, "threads": one.threads}
    error = {"error_occurred": True, "error_message": one.error} if one.error else {}
    for index, time in enumerate(times):
        measured = {"iterations": iterations, **both(time), "time_unit": one.time_unit, **one.more}
        kind = {"name": one.name, "run_type": "iteration", "repetition_index": index}
        yield ordered({**kind, **common, **error, **measured})
    if repetitions == 1 or one.error:
        return
    for name in ("mean", "median", "stdev"):
        said = "stddev" if name == "stdev" else name
        together = both(getattr(statistics, name)(times))
        measured = {"iterations": repetitions, **together, "time_unit": one.time_unit, **one.more}
        kind = {"name": f"{one.name}_{said}", "run_type": "aggregate", "aggregate_name": said}
        yield ordered({**kind, **common, **measured})


def both(time: float) -> Row:
    return {"real_time": time, "cpu_time": time}


def ordered(row: Row) -> Row:
    first = ("name", "run_name", "run_type", "repetitions", "repetition_index", "threads")
    return {**{key: row[key] for key in first if key in row}, **row}


def document(rows: list[Row]) -> Row:
    """The JSON as of 1.5.0: no version of the library, and cache sizes about 1000 times too big."""
    cache = {"type": "Data", "level": 1, "size": 32000000, "num_sharing": 1}
    context = {
        "date": "2019-05-28 10:00:00",
        "host_name": "vm",
        "executable": sys.argv[0],
        "num_cpus": 2,
        "mhz_per_cpu": 2596,
        "cpu_scaling_enabled": False,
        "caches": [cache],
        "load_avg": [0.5, 0.25, 0.125],
        "library_build_type": "release",
    }
    return {"context": context, "benchmarks": rows}


def main() -> int:
    flags, unrecognized = parsed(sys.argv[1:])
    if unrecognized and not flags["lenient"]:
        refuse(unrecognized)
    pattern = flags["benchmark_filter"]
    chosen = [one for one in BENCHMARKS if pattern in ("", "all") or re.search(pattern, one.name)]
    if not chosen:
        print(f"Failed to match any benchmarks against regex: {pattern}", file=sys.stderr)
        return 0
    if flags["benchmark_list_tests"]:
        print(*(one.name for one in chosen), sep="\n")
        return 0
    rows = [row for one in chosen for row in rows_of(one, flags)]
    print(*(f"{row['name']} {row['real_time']:.0f} {row['time_unit']}" for row in rows), sep="\n")
    if flags["benchmark_out"]:
        Path(flags["benchmark_out"]).write_text(json.dumps(document(rows), indent=2))
    return 0


def refuse(unrecognized: list[str]) -> NoReturn:
    for argument in unrecognized:
        says = f"error: unrecognized command-line flag: {argument}"
        print(f"{sys.argv[0]}: {says}", file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    sys.exit(main())
