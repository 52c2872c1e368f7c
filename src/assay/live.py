"""What is known of a session while it runs: the values that its page shows."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from assay.model import Comparison, Failure, Level
from assay.planned import Planned


class LiveStage(StrEnum):
    """How far a session is."""

    MEASURING = "measuring"
    STORING = "storing"  # measuring has ended, and its run is being written
    STORED = "stored"
    ENDED = "ended"  # the session has ended, and this store has no run of it
    KILLED = "killed"

    @property
    def is_last(self) -> bool:
        """Whether this stage is the last: nothing more will come of the session."""
        return self in (LiveStage.STORED, LiveStage.ENDED, LiveStage.KILLED)


class LiveSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session whose journal lies in a store."""

    name: str
    kind: str
    since: str  # when it began, as its journal says
    targets: Mapping[str, str]
    is_held: bool  # it still runs: it holds the lock of its journal


class PastLook(msgspec.Struct, frozen=True):
    """What an earlier look said of a benchmark: relative change with its interval."""

    rounds: int
    low: float
    high: float
    change: float


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """A session at one moment, judged as its journal would be if it ended here."""

    stage: LiveStage
    run: str = ""  # the run that it is stored as
    planned: Planned = Planned()
    rounds: int = 0  # rounds of all benchmarks together
    spent_s: float = 0.0  # since its first round
    cpus: frozenset[int] = frozenset()  # CPUs on which the session measures
    done: float | None = None  # share of its limit of time or of rounds, the larger; None: no limit
    comparisons: tuple[Comparison, ...] = ()
    levels: tuple[Level, ...] = ()
    settled: frozenset[str] = frozenset()
    past: Mapping[
        str, tuple[PastLook, ...]
    ] = {}  # by benchmark: looks at the metric of the headline
    failures: tuple[Failure, ...] = ()
    two_sided: bool = True
    is_judged: bool = True  # False: this kind of session is judged only when it has ended
