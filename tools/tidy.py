"""Runs clang-tidy on what the asan preset compiles, except files that passed before unchanged.

    python tools/tidy.py [--all]

A file is unchanged if it, all headers it includes, its compile command, .clang-tidy and clang-tidy
itself are what they were. What passed is remembered in the user's cache folder, under a hash that
does not depend on the project's path, so that a new clone profits too. Other files are read in
batches (`tidy_batch.py`). The files of a batch with a finding are read again one by one, so every
finding told is about a file by itself.

--all reads every file by itself, whatever passed before. It takes several times as long, and sees
what a batch may hide: a file that uses something which only an earlier file of the batch includes.

Exits with 1 if there is a finding. build/asan must be built, because the headers are taken from
what its compiler saw.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from tidy_batch import Batch, batches_of, compatible, write

TIDY = "clang-tidy-14"
AT_ONCE = 2
# Lines that count suppressed warnings in system headers.
_NOISE = re.compile(r"^(\d+ warnings? generated|Suppressed |Use -header)")


class Source(NamedTuple):
    """A file to read, and everything that decides what clang-tidy says about it."""

    path: Path
    command: str
    headers: tuple[Path, ...]  # the file itself is among them


def main(arguments: list[str]) -> int:
    """Read the files and print findings; returns the exit code."""
    if arguments not in ([], ["--all"]):
        print("usage: python tools/tidy.py [--all]", file=sys.stderr)
        return 2
    root, build = Path.cwd(), Path("build/asan")
    sources = list(sources_of(root, build))
    if not sources:
        print(f"tidy: {build} compiles nothing of this project")
        return 1
    config = _output(TIDY, "--version") + Path(".clang-tidy").read_text()
    passed = passed_folder(os.environ)
    keys = {source.path: key_of(source, root, config) for source in sources}
    is_all = "--all" in arguments
    waiting = [each for each in sources if is_all or not (passed / keys[each.path]).exists()]
    found = 0
    for path, has_passed in read(waiting, build, in_batches=not is_all):
        found += not has_passed
        if has_passed:
            (passed / keys[path]).touch()
    print(
        f"tidy: {len(sources)} files, {len(sources) - len(waiting)} of them passed before, "
        f"{found} with findings"
    )
    return 1 if found else 0


def read(sources: list[Source], build: Path, *, in_batches: bool) -> Iterator[tuple[Path, bool]]:
    """Each file, and whether it has no finding; findings are printed."""
    alone = [source.path for source in sources]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        if in_batches:
            alone = []
            batches = batches_of((each.path, each.command.splitlines()[0]) for each in sources)
            parts = pool.map(lambda each: tidied_parts(each[0], each[1], build), enumerate(batches))
            for batch, is_clean in chain.from_iterable(parts):
                if is_clean:
                    yield from ((path, True) for path in batch.files)
                else:
                    alone += batch.files
        yield from zip(alone, pool.map(lambda path: tidied(path, build), alone), strict=True)


def tidied_parts(number: int, batch: Batch, build: Path) -> list[tuple[Batch, bool]]:
    """Parts of the batch that compile, and whether each has no finding."""
    parts = enumerate(compatible(batch, build, f"batch-{number}"))
    return [(part, is_clean(part, build, f"batch-{number}-{at}")) for at, part in parts]


def is_clean(batch: Batch, build: Path, name: str) -> bool:
    """Whether a batch has no finding. Nothing is printed, as a finding may be due to the batch."""
    command = [TIDY, "--quiet", "--warnings-as-errors=*"]
    source = write(batch, build, name)
    done = subprocess.run(
        [*command, str(source), "--", *batch.options],
        cwd=build, capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode == 0


def sources_of(root: Path, build: Path) -> Iterator[Source]:
    """The project's own files that the preset compiles, each once."""
    dependencies = dependencies_of(_output("ninja", "-C", str(build), "-t", "deps"), build)
    rows = json.loads((build / "compile_commands.json").read_text())
    commands: dict[Path, list[str]] = {}  # a file may be compiled into several executables
    for row in sorted(rows, key=lambda row: str(row["file"])):
        commands.setdefault(Path(row["file"]), []).append(row["command"])
    for path, each in commands.items():
        if is_read(path, root):
            headers = [header for command in each for header in _headers(command, dependencies)]
            if not headers:
                raise SystemExit(f"tidy: {build} has not compiled {path}; build it first")
            yield Source(path, "\n".join(each), tuple(dict.fromkeys(headers)))


def is_read(path: Path, root: Path) -> bool:
    """Whether it is the project's own and not a test; tests rely on two compilers' warnings."""
    if not path.is_relative_to(root):
        return False
    inside = path.relative_to(root)
    is_test = path.name.endswith("_test.cpp") or "tests" in inside.parts
    return not is_test and "build" not in inside.parts


def _headers(command: str, dependencies: Mapping[str, tuple[Path, ...]]) -> tuple[Path, ...]:
    made = re.search(r" -o (\S+)", command)
    return dependencies.get(made.group(1), ()) if made else ()


def dependencies_of(listing: str, build: Path) -> Mapping[str, tuple[Path, ...]]:
    """For each object the files it was made from, out of ninja's list."""
    made: dict[str, tuple[Path, ...]] = {}
    for block in listing.split("\n\n"):
        lines = block.splitlines()
        if lines and ": #deps" in lines[0]:
            made[lines[0].split(": #deps")[0]] = tuple(build / line.strip() for line in lines[1:])
    return made


def key_of(source: Source, root: Path, config: str) -> str:
    """A hash of everything that decides, independent of the project's path."""
    told = hashlib.sha256()
    for part in (config, source.command, *(str(header) for header in source.headers)):
        told.update(part.replace(str(root), ".").encode() + b"\0")
    for header in source.headers:
        told.update(_content(header).encode())
    return told.hexdigest()


@cache
def _content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def passed_folder(environment: Mapping[str, str]) -> Path:
    """The folder in which it is remembered what passed; it is created if needed."""
    cache_home = environment.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(cache_home) / "assay-tidy"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def tidied(path: Path, build: Path) -> bool:
    """Whether a file has no finding; findings are printed."""
    done = subprocess.run(
        [TIDY, "-p", str(build), "--quiet", "--warnings-as-errors=*", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (done.stdout + done.stderr).splitlines()
    told = [line for line in lines if not _NOISE.match(line)]
    if done.returncode != 0:
        told.append(f"tidy: {path}: clang-tidy exited with {done.returncode}")
    if told:
        print("\n".join(told), flush=True)
    return done.returncode == 0


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
