"""Prints a run of the OS lab exactly as libMicro does, for programs that read its .out files.

print(libmicro_report(run, statistics), end="")
# or, if it could not be measured:
print(libmicro_failure(run, "SKIPPED this host: no io_uring"), end="")
"""

import msgspec

from assay.os_lab import Bucket, OsCommand, Statistics

_NS_PER_US = 1e3
_BAR = 32


class Run(msgspec.Struct, frozen=True):
    """What a report in libMicro's format says of one run of the OS lab, besides its samples."""

    command: OsCommand
    words: str  # the run's command line, which libMicro's option -L prints
    elapsed_s: float = 0.0
    # Calls for each sample of the first launch; the next two fields are from that launch too.
    calls: int = 0
    clock_cost_ns: float = 0.0
    loop_ns: float = 0.0


def libmicro_report(run: Run, statistics: Statistics) -> str:
    """Header and row; with -S also what libMicro calls statistics and distribution."""
    text = _head(run) + _row(run, statistics)
    if "statistics" in run.command.switches:
        text += _statistics(run, statistics) + _distribution(statistics)
    return text


def libmicro_failure(run: Run, why: str) -> str:
    """The report of a run that could not be measured: the reason `why` in place of the row."""
    return f"{_head(run)}{run.command.name} {why}\n"


def echo(name: str, elapsed_s: float) -> str:
    """The line that libMicro's option -E prints on standard error."""
    return f"Running:{_right_aligned(name, 20)} for {elapsed_s:12.5f} seconds\n"


def _head(run: Run) -> str:
    text = f"# assay os {run.words} \n" if "arguments" in run.command.switches else ""
    if "no-header" in run.command.switches:
        return text
    names = " ".join(_right_aligned(column.name, 8) for column in run.command.columns)
    return f"{text}{'':12} prc thr   usecs/call {'samples':>12} {names}\n"


def _row(run: Run, statistics: Statistics) -> str:
    command = run.command
    shown_ns = statistics.mean_ns if "mean" in run.command.switches else statistics.typical_ns
    numbers = " ".join(
        f"{','.join(str(value) for value in column.values):>8}" for column in command.columns
    )
    return (
        f"{_left_aligned(command.name, 12)} {command.processes:3} {command.threads:3} "
        f"{_microseconds(shown_ns)} {statistics.samples:12} {numbers}\n"
    )


def _statistics(run: Run, of: Statistics) -> str:
    times_ns = {
        "min": of.min_ns,
        "max": of.max_ns,
        "range": of.max_ns - of.min_ns,
        "95%": of.p95_ns,
        "99%": of.p99_ns,
        "mean": of.mean_ns,
        "median": of.median_ns,
        "stddev": of.stddev_ns,
        "figure, from": of.low_ns,
        "figure, to": of.high_ns,
    }
    rest = {
        "elapsed time": f"{run.elapsed_s:12.5f}",
        "number of samples": f"{of.samples:12}",
        "launches": f"{of.launches:12}",
        "calls per sample": f"{run.calls:12}",
        "getnsecs overhead": f"{run.clock_cost_ns:12.0f}",
        "loop overhead, nsecs": f"{run.loop_ns:12.3f}",
    }
    times = "".join(f"# {name:>22} {_microseconds(ns)}\n" for name, ns in times_ns.items())
    others = "".join(f"# {name:>22} {value}\n" for name, value in rest.items())
    return f"#\n# STATISTICS         {'usecs/call':>12}\n{times}#\n{others}#\n"


def _distribution(statistics: Statistics) -> str:
    found = statistics.histogram
    most = found.fullest_count
    lines = "".join(
        _bucket(bucket, _microseconds(bucket.from_ns), most) for bucket in found.buckets
    )
    return (
        f"# DISTRIBUTION\n#\t{'counts':>12} {'usecs/call':>12} {'':32} {'means':>12}\n"
        f"{lines}#\n{_bucket(found.tail, '> 95%', most)}#\n"
        f"#       {'mean of 95%':>12} {_microseconds(found.body_mean_ns)}\n"
        f"#       {'95th %ile':>12} {_microseconds(statistics.p95_ns)}\n"
    )


def _bucket(bucket: Bucket, label: str, most: int) -> str:
    stars = "*" * min(_BAR, max(1, _BAR * bucket.count // most)) if bucket.count else ""
    mean = _microseconds(bucket.mean_ns) if bucket.count else f"{'-':>12}"
    return f"#       {bucket.count:12} {label:>12} |{stars:<{_BAR}}{mean}\n"


def _microseconds(time_ns: float) -> str:
    return f"{time_ns / _NS_PER_US:12.5f}"


def _left_aligned(text: str, width: int) -> str:
    return text + " " * (width - len(text.encode()))  # C's printf counts bytes, not characters


def _right_aligned(text: str, width: int) -> str:
    return " " * (width - len(text.encode())) + text
