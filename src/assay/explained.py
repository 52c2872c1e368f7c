"""What `assay why` found out about one benchmark: a part from each stage, and which
stages could not answer.

Explained("BM_append", work=ExactWork(...), unanswered=(Unanswered("time", "no perf"),))
"""

import msgspec
from msgspec.structs import replace

from assay.machine_code import MachineCode
from assay.model import Side
from assay.resources import Memory, Syscalls
from assay.timed import Timed
from assay.work import ExactWork


class Unanswered(msgspec.Struct, frozen=True, array_like=True):
    """A stage of `assay why` that could not answer, and why, as a sentence without its full
    stop."""

    stage: str
    why: str
    side: Side | None = None  # the side on which it failed; None: not because of one side


class Explained(msgspec.Struct, frozen=True):
    """What each stage of `assay why` found out about one benchmark.

    A stage whose field is None was not asked for, or could not answer: then it is in `unanswered`.
    """

    benchmark: str
    work: ExactWork | None = None
    time: Timed | None = None
    memory: Memory | None = None
    syscalls: Syscalls | None = None
    code: MachineCode | None = None
    unanswered: tuple[Unanswered, ...] = ()
    caveats: tuple[str, ...] = ()  # warnings about how both sides were built, which are shown first

    def without_names(self) -> "Explained":
        """This answer with only each stage's totals, for a program without function names."""
        work, time, memory, calls = self.work, self.time, self.memory, self.syscalls
        return replace(
            self,
            work=work.without_names() if work else None,
            time=replace(time, changes=(), told=(), moved=()) if time else None,
            memory=memory.without_names() if memory else None,
            syscalls=replace(calls, calls=calls.calls.without_names()) if calls else None,
        )

    @property
    def is_answered(self) -> bool:
        """Whether any stage of `assay why` found something out."""
        parts = (self.work, self.time, self.memory, self.syscalls, self.code)
        return any(part is not None for part in parts)
