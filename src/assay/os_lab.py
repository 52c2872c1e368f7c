"""The values of the OS lab: made of what `assay-os` lists and by the judge, shown by `show`."""

from dataclasses import dataclass

import msgspec

from assay.model import Failure

WHOLE_CATALOGUE = "assay os all"  # the target of records that it writes
_LACK = "skipped: "  # what `assay-os` writes before what the host lacks


def lack_of(failure: Failure) -> str | None:
    """What the host lacks, so that a case was skipped; None: it failed."""
    what = failure.what
    return what.removeprefix(_LACK) if what.startswith(_LACK) else None


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
    """The number, or numbers, of an option that a case ran with, given or by default."""

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
    typical: float  # trimmed mean or median of calls: see `judge.labs.os_times`
    low: float  # interval of `typical` at 95 %
    high: float
    p95: float
    p99: float
    samples: int
    calls: int  # in a sample
    launches: int
    of_launches: bool  # the interval is over launches; False: over samples, of few launches
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
    """Times per call: the lowest 95 % in buckets of one width, and a tail with the rest."""

    buckets: tuple[Bucket, ...]
    tail: Bucket
    body_mean_ns: float

    @property
    def most(self) -> int:
        """The count of the fullest bucket."""
        return max(bucket.count for bucket in self.buckets)


@dataclass(frozen=True)
class Statistics:
    """libMicro's statistics of all samples together; `typical_ns` is of the launches."""

    samples: int
    launches: int
    min_ns: float
    max_ns: float
    mean_ns: float
    median_ns: float
    stddev_ns: float
    p95_ns: float
    p99_ns: float
    typical_ns: float  # as `OsTime.typical`
    low_ns: float
    high_ns: float
    histogram: LatencyHistogram
