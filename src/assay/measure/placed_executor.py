"""Runs every process in one folder and with variables of its own: that of a built revision.

executor = PlacedExecutor(executor, Path("checkout"), {"THREADS": "2"})
executor.run(Launch(("build/bench",), timeout_s=10))    # `checkout/build/bench`
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from assay.measure.executor import Executor, FinishedProcess, Launch


@dataclass(frozen=True)
class PlacedExecutor:
    """Runs with another executor, in a folder, with variables added to each environment."""

    executor: Executor
    folder: Path
    environment: Mapping[str, str]

    def run(self, launch: Launch) -> FinishedProcess:
        environment = {**self.environment, **launch.env}
        return self.executor.run(replace(launch, folder=self.folder, env=environment))

    def abandon(self) -> None:
        self.executor.abandon()

    def over(self, executor: Executor) -> "PlacedExecutor":
        """The same folder and variables, with another executor to run the processes."""
        return replace(self, executor=executor)


def folder_of(executor: Executor) -> Path:
    """The folder its processes run in. Where several are nested, the innermost decides."""
    folder, inner = Path(), executor
    while isinstance(inner, PlacedExecutor):
        folder, inner = inner.folder, inner.executor
    return folder.absolute()
