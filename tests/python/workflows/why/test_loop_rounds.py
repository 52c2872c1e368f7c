"""Launches that two stages ask for are made once."""

from dataclasses import dataclass, field
from typing import Any, cast

from conftest import ScriptedExecutor, finished

from assay.measure.profile.traced.loop_file import LoopFile, TracedLoop
from assay.measure.profile.traced.loops import LoopLibrary, LoopRun
from assay.measure.targets.gbench import GBenchTarget
from assay.record import reader
from assay.workflows.why.loop_rounds import LoopRounds
from assay.workflows.why.stage import WhySides

NAMES = ("BM", "BM")


@dataclass
class Library:
    """Counts how it is asked."""

    asked: list[dict[str, Any]] = field(default_factory=list)

    def run(self, target: GBenchTarget, name: str, min_time_s: float, **how: bool) -> LoopRun:
        self.asked.append(how)
        loops = [TracedLoop(1), TracedLoop(1000)]
        return LoopRun((1, 1000), LoopFile("watched", True, loops), (0, 1), 0.001, 0.01)


def test_nothing_but_the_loop_is_watched_once_for_both_stages() -> None:
    executor = ScriptedExecutor(lambda _launch: finished())
    one, other = (
        GBenchTarget((f"/home/me/{name}",), name, executor, reader.parse, 60.0) for name in "ab"
    )
    sides = WhySides(one, other, cast(Any, None))
    library = Library()
    memory, calls = (LoopRounds(sides, cast(LoopLibrary, library)) for _ in range(2))
    first = memory.plain(NAMES)
    assert library.asked == [{"sites": False}] * 8
    assert calls.plain(NAMES) is first
    assert len(library.asked) == 8
    calls.plain(("BM_other", "BM_other"))
    assert len(library.asked) == 16
