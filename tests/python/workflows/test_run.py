"""Measuring one side alone, over simulated targets: seeded, no processes."""

from collections.abc import Sequence
from pathlib import Path

from conftest import ScriptedExecutor, SimulatedTarget, SteppingClock, finished

from assay.model import Comparison
from assay.progress import RunProgress, Silence
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.run import measure_alone


class Watched(Silence):
    def __init__(self) -> None:
        self.states: list[RunProgress] = []

    def round_done(self, state: RunProgress, latest: Sequence[Comparison]) -> None:
        self.states.append(state)


def test_what_is_left_shrinks_with_every_launch_and_is_nothing_at_the_end(tmp_path: Path) -> None:
    watched = Watched()
    stage = Runtime(ScriptedExecutor(lambda _: finished()), SteppingClock(), watched)
    target = SimulatedTarget({"a": 10.0, "b": 20.0, "c": 30.0})
    measure_alone(
        [target], "", Measuring(seed=1, rounds=1), Destination(tmp_path / "out.json"), stage
    )
    assert [state.rounds for state in watched.states] == [1, 2, 3]
    left_s = [state.left_s for state in watched.states]
    assert left_s[0] > left_s[1] > left_s[2] == 0
