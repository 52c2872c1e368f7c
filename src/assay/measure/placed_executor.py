"""Runs every process in one folder and with variables of its own: that of a built revision.

executor = PlacedExecutor(executor, Path("checkout"), {"THREADS": "2"})
executor.run(Launch(("build/bench",), timeout_s=10))    # `checkout/build/bench`
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.measure.executor import Executor, FinishedProcess, Launch


class PlacedExecutor(msgspec.Struct, frozen=True):
    """Runs processes in one folder and with added variables, by means of another executor."""

    executor: Executor
    folder: Path
    environment: Mapping[str, str]

    def run(self, launch: Launch) -> FinishedProcess:
        environment = {**self.environment, **launch.env}
        return self.executor.run(replace(launch, folder=self.folder, env=environment))

    def abandon(self) -> None:
        self.executor.abandon()

    def with_executor(self, executor: Executor) -> "PlacedExecutor":
        """A copy with the same folder and variables, and another executor to run the processes."""
        return replace(self, executor=executor)


def folder_of(executor: Executor) -> Path:
    """The folder in which an executor runs its processes. Where several are nested, the innermost
    decides."""
    folder, inner = Path(), executor
    while isinstance(inner, PlacedExecutor):
        folder, inner = inner.folder, inner.executor
    return folder.absolute()
