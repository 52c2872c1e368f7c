"""Linking a program several times in random orders: the request, the result, the files' paths.

places = Placements(folder / "build/bench", count=8, seed=1)
for number, file in places.targets(): ...      # build/bench.placements/0/bench, ...
places.checked_programs()             # all of them; raises if they are all the same
"""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec


class RelinkRequest(msgspec.Struct, frozen=True):
    """The request to link a program several times, its functions in random orders."""

    program: str  # path of the program, relative to the folder in which the commands run
    count: int  # how many links to make
    seed: int = 1


class RelinkResult(msgspec.Struct, frozen=True):
    """The result of linking a program again: its files, or the reason why there are none."""

    # Paths of the links, relative to the folder in which the commands run.
    files: tuple[str, ...] = ()
    reason: str = ""  # why there are no links
    # Shared libraries of the build that the program loads. They are not linked again.
    libraries: tuple[str, ...] = ()
    seconds: float = 0.0  # seconds that linking took


class RefusedError(Exception):
    """A program cannot be linked again; the message says why."""


class Placements(msgspec.Struct, frozen=True):
    """Where the links of one program lie: each in a numbered folder beside the program."""

    program: Path
    count: int
    seed: int

    @property
    def folder(self) -> Path:
        return self.program.with_name(self.program.name + ".placements")

    def targets(self) -> Iterator[tuple[int, Path]]:
        """For each link to make: its number, and its path in a folder that is created."""
        width = len(str(self.count - 1))  # equal widths, so that all paths have the same length
        for number in range(self.count):
            target = self.folder / f"{number:0{width}d}" / self.program.name
            target.parent.mkdir(parents=True)
            yield number, target

    def checked_programs(self) -> tuple[Path, ...]:
        """The paths of the links. Raises `RefusedError` if all links are the same."""
        files = tuple(sorted(self.folder.glob(f"*/{self.program.name}")))
        if len(files) > 1 and len({_digest(one) for one in files}) == 1:
            raise RefusedError("the linker gives the same program in every order")
        return files

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
