"""`compare` in a loop, in one process: memory, descriptors, processes, scratch files stay flat.

A leak of one page in each comparison shows after an hour. The first tenth of the time is for what
is imported and cached once.
"""

import contextlib
import gc
import io
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_MOST_GROWTH_BYTES = 20e6  # between a tenth of the way and the end
_WORDS = ("compare", "cmd:true", "cmd:/bin/true", "--rounds", "20", "-q")


class Held(NamedTuple):
    """What this process holds."""

    memory_bytes: int
    descriptors: int
    children: int
    files: int


def soak(minutes: float) -> list[str]:
    """Compare for so long; what grew, in words."""
    from assay.cli import invoke

    with tempfile.TemporaryDirectory() as name, _here(Path(name)):
        began_s, rounds, first = time.monotonic(), 0, None
        while time.monotonic() - began_s < 60 * minutes or rounds < 20:
            with contextlib.redirect_stdout(io.StringIO()):
                code = invoke([*_WORDS, "-o", "out.json"])
            if code:
                return [f"comparison {rounds} ended with {code}"]
            rounds += 1
            warm = rounds >= 10 and time.monotonic() - began_s > 6 * minutes
            first = first or (held(Path(name)) if warm else None)
        assert first is not None
        last = held(Path(name))
    print(f"loop: {rounds} comparisons; held first {first}, last {last}", flush=True)
    return list(grown(first, last))


def grown(first: Held, last: Held) -> list[str]:
    """What is more than it was, in words."""
    lines = []
    more_bytes = last.memory_bytes - first.memory_bytes
    if more_bytes > _MOST_GROWTH_BYTES:
        lines.append(f"memory grew by {more_bytes / 1e6:.1f} MB")
    for name in ("descriptors", "children", "files"):
        before, after = getattr(first, name), getattr(last, name)
        if after > before:
            lines.append(f"{name}: {before} at first, {after} at the end")
    return lines


def held(folder: Path) -> Held:
    """Now. Children are seen after what is no longer needed is collected."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return Held(
        memory_bytes=pages * os.sysconf("SC_PAGE_SIZE"),
        descriptors=len(list(Path("/proc/self/fd").iterdir())),
        children=len(children),
        files=sum(1 for path in folder.rglob("*") if path.is_file()),
    )


@contextlib.contextmanager
def _here(folder: Path) -> Iterator[None]:
    """In this folder, with home and temporary files in it."""
    before = dict(os.environ)
    os.environ.update({"HOME": str(folder), "TMPDIR": str(folder / "scratch")})
    (folder / "scratch").mkdir()
    tempfile.tempdir = None  # it is asked for again
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        tempfile.tempdir = None
