"""The values of the OS lab: the program lists and the judge makes them, show draws them."""

from dataclasses import dataclass

import msgspec

WHOLE_CATALOGUE = "assay os all"  # what its records say that they measured


class OsOption(msgspec.Struct, frozen=True):
    """An option of a case."""

    letter: str
    name: str
    takes: str
    default: str
    help: str


class OsCase(msgspec.Struct, frozen=True):
    """A case as `assay-os list` has it."""

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
    """A number that a case is given, as written or by default; or several."""

    name: str
    values: tuple[int, ...]


class OsCommand(msgspec.Struct, frozen=True):
    """What a command line of `assay-os` asks for."""

    name: str
    processes: int
    threads: int
    columns: tuple[OsColumn, ...]
    switches: frozenset[str]  # names of options; "effort": -C, -D or --launches


@dataclass(frozen=True)
class OsTime:
    """One benchmark's time per call, in `unit`."""

    benchmark: str
    unit: str
    typical: float
    low: float
    high: float
    p95: float
    p99: float
    samples: int
    calls: int  # in a sample
    launches: int
    of_launches: bool  # whether the interval is one over launches, not within the few there were
    processes: int
    threads: int  # in each process


@dataclass(frozen=True)
class Bucket:
    """The samples that lie between `from_ns` and the next bucket's."""

    from_ns: float
    count: int
    mean_ns: float  # 0 of an empty bucket


@dataclass(frozen=True)
class Histogram:
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
    """Of all samples together; the figure is of the launches."""

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
    histogram: Histogram
