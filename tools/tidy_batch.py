"""Joins files into batches for clang-tidy, so that headers they share are read only once.

Reading the standard library's headers takes most of its time. The texts of files with equal options
are put into one file, as far as the compiler accepts them together (two files may use one name for
different things). The text is copied and not included by #include, because several checks, the
static analyzer's among them, only look at the file that is compiled.
"""

import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

COMPILER = "clang++-14"
AT_MOST = 32  # files in a batch
_INCLUDE = re.compile(r"\s*#\s*include\s*<")
_ERROR = re.compile(r"^(?:In file included from )?(\S+?):\d+(?::\d+)?: (?:fatal )?error:", re.M)


@dataclass(frozen=True, slots=True)
class Batch:
    """Files and their common options, without the compiler and file names."""

    files: tuple[Path, ...]
    options: tuple[str, ...]

    def text(self, *, with_names: bool = False) -> str:
        """All files in one text. With names, the compiler's errors name the original files."""
        seen: set[str] = set()
        parts = [_name(path) if with_names else "" for path in self.files]
        return "".join(
            part + _without(seen, path) for part, path in zip(parts, self.files, strict=True)
        )


def _name(path: Path) -> str:
    return f'#line 1 "{path}"\n'


def _without(seen: set[str], path: Path) -> str:
    """The file's text without the #include lines that earlier files already have.

    If the file itself has the same #include twice, the second one stays, as it is a finding.
    """
    before, own = frozenset(seen), set[str]()
    kept: list[str] = []
    for line in path.read_text().splitlines():
        is_known = line in before and line not in own
        kept.append("" if is_known else line)
        if _INCLUDE.match(line):
            own.add(line)
    seen |= own
    return "\n".join(kept) + "\n"


def options_of(command: str) -> tuple[str, ...]:
    """The options of a compile command, without compiler, input and output."""
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
    """Files of one folder with equal options, in batches of about equal size."""
    alike: dict[tuple[str, ...], list[Path]] = {}
    for path, command in commands:
        # So that #include "beside.hpp" works as in the files' own folder.
        options = (*options_of(command), "-iquote", str(path.parent))
        alike.setdefault(options, []).append(path)
    for options, files in alike.items():
        count = -(-len(files) // AT_MOST)
        yield from (Batch(tuple(files[at::count]), options) for at in range(count))


def compatible(batch: Batch, build: Path, name: str) -> Iterator[Batch]:
    """Parts of the batch that compile; files that clash with earlier ones go into later parts."""
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


def write(batch: Batch, build: Path, name: str, *, with_names: bool = False) -> Path:
    """Write the batch's source file into the build folder, and return its path."""
    path = (build / "tidy" / f"{name}.cpp").resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(batch.text(with_names=with_names))
    return path


def _clashing(batch: Batch, build: Path, name: str) -> frozenset[Path]:
    """The files that do not compile after those before them; never the first one."""
    source = write(batch, build, name, with_names=True)
    command = [COMPILER, *batch.options, "-w", "-fsyntax-only", "-ferror-limit=0", str(source)]
    done = subprocess.run(command, cwd=build, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return frozenset()
    named = {Path(each) for each in _ERROR.findall(done.stderr)}
    found = frozenset(path for path in batch.files[1:] if path in named)
    return found or frozenset(batch.files[1:])  # the error is elsewhere: each file by itself
