"""What linking a program again is asked for, what became of it, and where the programs lie.

places = Placements(folder / "build/bench", count=8, seed=1)
for number, file in places.targets(): ...      # build/bench.placements/0/bench, ...
places.checked()                               # all of them; raises where they do not differ
"""

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec


@dataclass(frozen=True)
class Relinking:
    """What is asked for."""

    program: str  # from the folder in which the commands run
    count: int
    seed: int = 1


class Relinked(msgspec.Struct, frozen=True):
    """What became of it."""

    files: tuple[str, ...] = ()  # from the same folder
    reason: str = ""  # why there are none
    libraries: tuple[str, ...] = ()  # of the build, which the program loads: they stay as they are
    seconds: float = 0.0


class RefusedError(Exception):
    """A program cannot be linked again; the text says why."""


@dataclass(frozen=True)
class Placements:
    """The files of one program."""

    program: Path
    count: int
    seed: int

    @property
    def folder(self) -> Path:
        return self.program.with_name(self.program.name + ".placements")

    def targets(self) -> Iterator[tuple[int, Path]]:
        """Each number, and the file to make, whose folder is there."""
        width = len(str(self.count - 1))  # of each name, so that all paths are of one length
        for number in range(self.count):
            target = self.folder / f"{number:0{width}d}" / self.program.name
            target.parent.mkdir(parents=True)
            yield number, target

    def checked(self) -> tuple[Path, ...]:
        """Those that were made. Raises `RefusedError` where all are one."""
        files = tuple(sorted(self.folder.glob(f"*/{self.program.name}")))
        if len(files) > 1 and len({_digest(one) for one in files}) == 1:
            raise RefusedError("the linker gives the same program in every order")
        return files

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
