"""A world in which one command of Assay is run while something goes wrong, and what it left there.

world = World(tmp_path)
seen = world.run(("run", "cmd:./program", "--rounds", "3"), Trouble(limits=("-n", "10")))
seen.code, seen.text
world.left_behind()          # processes and files that should not be there; empty
"""

import os
import signal
import subprocess
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from other_users import ASSAY
from patience import PATIENCE_S

LONGEST_S = PATIENCE_S
# A shell starts what follows an `&` with SIGINT ignored, and all that this starts inherits it.
DEFAULT_SIGNALS = ("env", "--default-signal=INT,TERM,HUP")
LISTED = 'case "$*" in *list_tests*) echo BM_a; exit 0;; esac'
# What answers as a Google Benchmark program does, with a time that is always the same.
BENCH = f"""{LISTED}
for one in "$@"; do case "$one" in --benchmark_out=*) out=${{one#*=}};; esac; done
echo launched >> "$LAUNCHES"
cat > "$out" <<'END'
{{"context": {{}}, "benchmarks": [{{"name": "BM_a", "run_name": "BM_a", "run_type": "iteration",
 "iterations": 9, "real_time": 1.5, "cpu_time": 1.5, "time_unit": "ns"}}]}}
END"""


@dataclass(frozen=True)
class Trouble:
    """How a command is run: as whom, with what it lacks, and when it is interrupted."""

    prefix: tuple[str, ...] = ()  # words before the command
    shell: str = '"$@"'  # in which "$@" is the command: redirections, limits, pipes
    environment: Mapping[str, str | None] = field(default_factory=dict)  # None: not set
    signals: tuple[int, ...] = ()  # sent to Assay, one after the other
    at_launch: int = 1  # when the program was started so often


@dataclass(frozen=True)
class Seen:
    """What a user sees."""

    code: int
    text: str  # both streams


class World:
    """A folder to work in, a home, and a folder for temporary files; all else is the machine's."""

    def __init__(self, root: Path) -> None:
        self.folder, self.home, self.scratch = root / "work", root / "home", root / "scratch"
        self._mark = uuid.uuid4().hex
        for folder in (self.folder, self.home, self.scratch):
            folder.mkdir(exist_ok=True)  # it is there in a copy of a world
        for folder in (root, self.folder, self.home, self.scratch):
            folder.chmod(0o777)
        self.program("program", "echo launched >> $LAUNCHES; exec sleep 0.01")
        self.program("bench", BENCH)

    @property
    def launches(self) -> Path:
        """A line for each time that the program was started."""
        return self.home.parent / "launches"

    def program(self, name: str, script: str) -> None:
        """An executable script in the folder."""
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run(self, words: tuple[str, ...], trouble: Trouble) -> Seen:
        """Run `assay WORDS` to its end. Raises `TimeoutExpired` where it hangs."""
        self.launches.touch()
        self.launches.chmod(0o666)
        process = subprocess.Popen(
            [
                *DEFAULT_SIGNALS,
                *trouble.prefix,
                "/bin/sh",
                "-c",
                trouble.shell,
                "sh",
                str(ASSAY),
                *words,
            ],
            cwd=self.folder,
            env=self._environment(trouble),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            self._interrupt(process, trouble)
            out, _ = process.communicate(timeout=LONGEST_S)
        finally:
            process.kill()
            process.wait()
        return Seen(process.returncode, out.decode(errors="replace"))

    def left_behind(self) -> list[str]:
        """Processes, scratch folders, parts of files. What just ends may take a moment."""
        until_s = time.monotonic() + 60
        while (found := self._found()) and time.monotonic() < until_s:
            time.sleep(0.05)
        return found

    def _found(self) -> list[str]:
        wanted = f"FAULT={self._mark}".encode()
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if wanted in (place / "environ").read_bytes().split(b"\0"):
                    found.append((place / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                continue
        parts = [*self.folder.rglob(".assay-*"), *self.home.rglob(".assay-*")]
        return found + [str(path) for path in (*self.scratch.iterdir(), *parts)]

    def _environment(self, trouble: Trouble) -> dict[str, str]:
        ours = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TMPDIR": str(self.scratch),
            "LAUNCHES": str(self.launches),
            "LANG": "C.UTF-8",
            "FAULT": self._mark,
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "ASSAY_MACHINE_LOCK": str(self.home.parent),  # no other world waits for this one
        }
        whole = {**ours, **trouble.environment}
        return {name: value for name, value in whole.items() if value is not None}

    def _interrupt(self, process: "subprocess.Popen[bytes]", trouble: Trouble) -> None:
        until_s = time.monotonic() + LONGEST_S
        for number in trouble.signals:
            while self._launched() < trouble.at_launch and process.poll() is None:
                assert time.monotonic() < until_s, "it was never so far"
                time.sleep(0.01)
            os.kill(process.pid, number)

    def _launched(self) -> int:
        return len(self.launches.read_text().splitlines())


def interrupted(number: int, at_launch: int, *more: int) -> Trouble:
    """`exec`: the signal is for Assay and not for the shell around it."""
    numbers = (number, *more)
    return Trouble(shell='exec "$@"', signals=numbers, at_launch=at_launch)


SIGNALS = {
    "INT": signal.SIGINT,
    "TERM": signal.SIGTERM,
    "HUP": signal.SIGHUP,
    "KILL": signal.SIGKILL,
}
