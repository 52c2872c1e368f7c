"""Files that clang-tidy reads in one go, so that what they all include is read once.

Most of its time goes into the standard library's headers. Files compiled with the same
options are included into one, as far as the compiler takes them together: two files may
give one name to two things.
"""

import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

COMPILER = "clang++-14"
AT_MOST = 16  # files in a batch
_ERROR = re.compile(r"^(?:In file included from )?(\S+?):\d+(?::\d+)?: (?:fatal )?error:", re.M)


@dataclass(frozen=True, slots=True)
class Batch:
    """Files and the options they are all compiled with, without compiler and file."""

    files: tuple[Path, ...]
    options: tuple[str, ...]

    def text(self) -> str:
        """A source file that is all of them."""
        return "".join(f'#include "{path}"  // NOLINT\n' for path in self.files)


def options_of(command: str) -> tuple[str, ...]:
    """What a compile command says beside its compiler, its input and its output."""
    words = shlex.split(command)
    first = next(at for at, word in enumerate(words) if word.startswith("-"))
    kept: list[str] = []
    following = iter(words[first:])
    for word in following:
        if word in ("-o", "-c"):
            next(following)
        else:
            kept.append(word)
    return tuple(kept)


def batches_of(commands: Iterable[tuple[Path, str]]) -> Iterator[Batch]:
    """The files by their options, in batches of about one size."""
    alike: dict[tuple[str, ...], list[Path]] = {}
    for path, command in commands:
        alike.setdefault(options_of(command), []).append(path)
    for options, files in alike.items():
        count = -(-len(files) // AT_MOST)
        yield from (Batch(tuple(files[at::count]), options) for at in range(count))


def compatible(batch: Batch, build: Path, name: str) -> Iterator[Batch]:
    """The batch in parts that compile: what clashes with a file before it comes later."""
    waiting = batch.files
    while waiting:
        together = waiting
        while len(together) > 1:
            clashing = _clashing(Batch(together, batch.options), build, name)
            if not clashing:
                break
            together = tuple(path for path in together if path not in clashing)
        yield Batch(together, batch.options)
        waiting = tuple(path for path in waiting if path not in together)


def write(batch: Batch, build: Path, name: str) -> Path:
    """The batch's source file, in the build folder."""
    path = (build / "tidy" / f"{name}.cpp").resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(batch.text())
    return path


def _clashing(batch: Batch, build: Path, name: str) -> frozenset[Path]:
    """The files that the compiler does not take after those before them; never the first."""
    source = write(batch, build, name)
    command = [COMPILER, *batch.options, "-w", "-fsyntax-only", "-ferror-limit=0", str(source)]
    done = subprocess.run(command, cwd=build, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return frozenset()
    named = {Path(each) for each in _ERROR.findall(done.stderr)}
    found = frozenset(path for path in batch.files[1:] if path in named)
    return found or frozenset(batch.files[1:])  # an error somewhere else: each by itself
