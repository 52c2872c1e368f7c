"""Runs every process in one folder and with variables of its own: that of a built revision.

executor = PlacedExecutor(executor, Path("checkout"), {"THREADS": "2"})
executor.run(Launch(("build/bench",), timeout_s=10))    # `checkout/build/bench`
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from assay.measure.executor import Executor, Finished, Launch


@dataclass(frozen=True)
class PlacedExecutor:
    """Another executor, a folder, and what is added to the environment of each launch."""

    executor: Executor
    folder: Path
    environment: Mapping[str, str]

    def run(self, launch: Launch) -> Finished:
        environment = {**self.environment, **launch.env}
        return self.executor.run(replace(launch, folder=self.folder, env=environment))

    def abandon(self) -> None:
        self.executor.abandon()

    def over(self, executor: Executor) -> "PlacedExecutor":
        """The same place, its processes run by another executor."""
        return replace(self, executor=executor)


def folder_of(executor: Executor) -> Path:
    """Where its processes run. Of several places around each other the innermost is what counts."""
    folder, inner = Path(), executor
    while isinstance(inner, PlacedExecutor):
        folder, inner = inner.folder, inner.executor
    return folder.absolute()
