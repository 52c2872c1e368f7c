"""What is known of a session while it runs: the values that its page shows."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from assay.model import Comparison, Failure, Level
from assay.planned import Planned


class LiveStage(StrEnum):
    """The state of a session that a page follows while it measures."""

    MEASURING = "measuring"
    STORING = "storing"  # measuring has ended, and its run is being written
    STORED = "stored"
    ENDED = "ended"  # the session has ended, and this store has no run of it
    KILLED = "killed"  # the process of the session died before it ended

    @property
    def is_last(self) -> bool:
        """Whether nothing more will come of a session in this stage."""
        return self in (LiveStage.STORED, LiveStage.ENDED, LiveStage.KILLED)


class LiveSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session whose journal lies in a store: what it measures, and whether it still runs."""

    name: str
    kind: str
    since: str  # when it began, as its journal says
    targets: Mapping[str, str]
    is_held: bool  # whether its process still runs, which holds the lock of the journal


class PastLook(msgspec.Struct, frozen=True):
    """The relative change of a benchmark, with its interval, when the session had fewer rounds."""

    rounds: int
    low: float
    high: float
    change: float


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a running session at one moment, judged as if its journal ended here."""

    stage: LiveStage
    run: str = ""  # name of the stored run that the session became; empty: none yet
    planned: Planned = Planned()
    rounds: int = 0  # rounds of all benchmarks together
    spent_s: float = 0.0  # seconds since the session's first round
    cpus: frozenset[int] = frozenset()  # CPUs on which the session measures
    done: float | None = None  # fraction of the session's limit that is used; None: no limit
    comparisons: tuple[Comparison, ...] = ()
    levels: tuple[Level, ...] = ()
    # Benchmarks whose verdict would not change by more rounds.
    settled: frozenset[str] = frozenset()
    past: Mapping[
        str, tuple[PastLook, ...]
    ] = {}  # by benchmark, of the metric that the page's headline is about
    failures: tuple[Failure, ...] = ()
    two_sided: bool = True
    is_judged: bool = True  # False: this kind of session is judged only when it has ended
