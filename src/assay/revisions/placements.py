"""The request to link a program again, its result, and where the programs lie.

places = Placements(folder / "build/bench", count=8, seed=1)
for number, file in places.targets(): ...      # build/bench.placements/0/bench, ...
places.checked_programs()             # all of them; raises if they are all the same
"""

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec


@dataclass(frozen=True)
class RelinkRequest:
    """The request to link a program several times, its functions in random orders."""

    program: str  # relative to the folder in which the commands run
    count: int
    seed: int = 1


class RelinkResult(msgspec.Struct, frozen=True):
    """The result of linking a program again: its files, or the reason why there are none."""

    files: tuple[str, ...] = ()  # relative to the folder in which the commands run
    reason: str = ""  # why there are no files
    # shared libraries of the build that the program loads; they are not linked again
    libraries: tuple[str, ...] = ()
    seconds: float = 0.0


class RefusedError(Exception):
    """A program cannot be linked again; the message says why."""


@dataclass(frozen=True)
class Placements:
    """The files for the links of one program."""

    program: Path
    count: int
    seed: int

    @property
    def folder(self) -> Path:
        return self.program.with_name(self.program.name + ".placements")

    def targets(self) -> Iterator[tuple[int, Path]]:
        """Each number with the file to make; its folder is created."""
        width = len(str(self.count - 1))  # equal widths, so that all paths have the same length
        for number in range(self.count):
            target = self.folder / f"{number:0{width}d}" / self.program.name
            target.parent.mkdir(parents=True)
            yield number, target

    def checked_programs(self) -> tuple[Path, ...]:
        """The programs that were linked. Raises `RefusedError` if they are all the same."""
        files = tuple(sorted(self.folder.glob(f"*/{self.program.name}")))
        if len(files) > 1 and len({_digest(one) for one in files}) == 1:
            raise RefusedError("the linker gives the same program in every order")
        return files

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
