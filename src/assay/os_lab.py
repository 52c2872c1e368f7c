"""The values of the OS lab: made of what `assay-os` lists and by the judge, shown by `show`."""

import msgspec

from assay.model import Failure

WHOLE_CATALOGUE = "assay os all"  # the target that records of `assay os all` name
_LACK = "skipped: "  # how `assay-os` begins its message on a case that it skipped


def lack_of(failure: Failure) -> str | None:
    """What the host lacks, for which `assay-os` skipped a case; None: the case failed instead."""
    what = failure.what
    return what.removeprefix(_LACK) if what.startswith(_LACK) else None


class OsOption(msgspec.Struct, frozen=True):
    """An option of a case of the OS lab, as `assay-os list` prints it."""

    letter: str
    name: str
    takes: str
    default: str
    help: str


class OsCase(msgspec.Struct, frozen=True):
    """A case (a system call or library function to time), as `assay-os list` prints it."""

    name: str
    summary: str
    origin: str
    options: tuple[OsOption, ...] = ()


class CatalogueRun(msgspec.Struct, frozen=True):
    """One of the command lines that `assay os all` runs: a case with its options."""

    name: str
    case: str
    words: tuple[str, ...]
    origin: str = ""


class OsColumn(msgspec.Struct, frozen=True):
    """An option with which a case of the OS lab ran, and its number or numbers."""

    name: str
    values: tuple[int, ...]


class OsCommand(msgspec.Struct, frozen=True):
    """What a command line of `assay-os` asks to measure."""

    name: str
    processes: int
    threads: int
    columns: tuple[OsColumn, ...]
    switches: frozenset[str]  # names of options given; "effort" stands for -C, -D or --launches


class OsTime(msgspec.Struct, frozen=True):
    """How long one call takes in one benchmark of the OS lab, in `unit`."""

    benchmark: str
    unit: str
    typical: float  # trimmed mean or median of calls: see `judge.labs.os_times`
    low: float  # confidence interval of `typical`, at 95 %
    high: float
    p95: float
    p99: float
    samples: int
    calls: int  # calls of the function in each sample
    launches: int
    of_launches: bool  # whether the interval is over launches, not samples (few launches)
    processes: int
    threads: int  # threads in each process


class Bucket(msgspec.Struct, frozen=True):
    """One bucket of a latency histogram: the samples from `from_ns` up to `from_ns` of the next
    bucket."""

    from_ns: float
    count: int
    mean_ns: float  # 0 of an empty bucket


class LatencyHistogram(msgspec.Struct, frozen=True):
    """A histogram of times per call: the lowest 95 % in buckets of one width, the rest in
    `tail`."""

    buckets: tuple[Bucket, ...]
    tail: Bucket
    body_mean_ns: float

    @property
    def fullest_count(self) -> int:
        """The count of the fullest bucket."""
        return max(bucket.count for bucket in self.buckets)


class Statistics(msgspec.Struct, frozen=True):
    """libMicro's statistics of a benchmark, in ns a call, over the samples of all launches.

    Only `typical_ns` and its interval, `low_ns` to `high_ns`, are computed from launches.
    """

    samples: int
    launches: int
    min_ns: float
    max_ns: float
    mean_ns: float
    median_ns: float
    stddev_ns: float
    p95_ns: float
    p99_ns: float
    typical_ns: float  # trimmed mean or median, as `OsTime.typical`
    low_ns: float
    high_ns: float
    histogram: LatencyHistogram
