"""The values of the OS lab: made of what `assay-os` lists and by the judge, shown by `show`."""

from dataclasses import dataclass

import msgspec

WHOLE_CATALOGUE = "assay os all"  # the target of records that it writes


class OsOption(msgspec.Struct, frozen=True):
    """An option of a case, as `assay-os list` prints it."""

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
    """One of the runs of `assay os all`."""

    name: str
    case: str
    words: tuple[str, ...]
    origin: str = ""


class OsColumn(msgspec.Struct, frozen=True):
    """An option's number that a case was given, written or by default; or several numbers."""

    name: str
    values: tuple[int, ...]


class OsCommand(msgspec.Struct, frozen=True):
    """What a command line of `assay-os` asks to measure."""

    name: str
    processes: int
    threads: int
    columns: tuple[OsColumn, ...]
    switches: frozenset[str]  # names of options given; "effort" stands for -C, -D or --launches


@dataclass(frozen=True)
class OsTime:
    """One benchmark's time per call, in `unit`."""

    benchmark: str
    unit: str
    typical: float  # the figure: see `judge.labs.os_times`
    low: float  # its interval at 95 %
    high: float
    p95: float
    p99: float
    samples: int
    calls: int  # in a sample
    launches: int
    of_launches: bool  # whether the interval is over launches; else over the samples of a few
    processes: int
    threads: int  # in each process


@dataclass(frozen=True)
class Bucket:
    """The samples from `from_ns` up to where the next bucket begins."""

    from_ns: float
    count: int
    mean_ns: float  # 0 of an empty bucket


@dataclass(frozen=True)
class LatencyHistogram:
    """The lowest 95 % in buckets of one width, up to the last that is not empty, and the rest."""

    buckets: tuple[Bucket, ...]
    tail: Bucket
    body_mean_ns: float

    @property
    def most(self) -> int:
        """The count of the fullest bucket."""
        return max(bucket.count for bucket in self.buckets)


@dataclass(frozen=True)
class Statistics:
    """libMicro's statistics of all samples together; the figure is of the launches."""

    samples: int
    launches: int
    min_ns: float
    max_ns: float
    mean_ns: float
    median_ns: float
    stddev_ns: float
    p95_ns: float
    p99_ns: float
    typical_ns: float  # the figure
    low_ns: float
    high_ns: float
    histogram: LatencyHistogram
