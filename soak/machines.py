"""Machines on one machine: each has its own processes, host name, home, cache and /tmp.

    machine = Machine(world, "a", ahead_s=-40_000)
    machine.assay("runs", "push", "/shared").returncode
    machine.started([sys.executable, "-m", "soak.machine", "..."]).kill()    # the power goes

As root each is namespaces of Linux (processes, mounts, host name) in which the folders of the
others are hidden and its own stands where those of all stand: in `here`. Without the right to
namespaces a machine is a group of processes in its own folder; `is_isolated` says which. All share
the loopback network, where the servers are, and the kernel's clock: what a machine runs is told a
time that is `ahead_s` later.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Makes a namespace a machine: $1 its name, $2 its folder, $3 where it sees it, $4 those of all.
_MADE = """set -e
hostname "$1"
mount -t proc proc /proc
mount --bind "$2" "$3"
mount --bind "$2/tmp" /tmp
mount -t tmpfs tmpfs "$4"
cd "$3"
shift 4
"$@" &
wait $!"""
_NAMESPACES = ("unshare", "--kill-child=KILL", "--fork", "--pid", "--mount", "--uts")
_TIED = ("setpriv", "--pdeathsig", "KILL")  # ends with the soak, even if that is killed


class Machine:
    """One machine of a world: the folder in which all of them lie, with what they share."""

    def __init__(self, world: Path, name: str, ahead_s: float = 0.0) -> None:
        self.name, self.ahead_s, self.shared = name, ahead_s, world / "shared"
        self.folder = world / "machines" / name  # as the soak sees it
        self._all, self._seen = world / "machines", world / "here"
        self.is_isolated = bool(namespaces())
        self.here = self._seen if self.is_isolated else self.folder  # as the machine sees it
        for folder in (self._seen, self.folder / "home", self.folder / "tmp"):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def store(self) -> Path:
        """Its store, as the soak sees it."""
        return self.folder / ".assay"

    def assay(self, *words: str, ahead_s: float = 0.0) -> "subprocess.CompletedProcess[str]":
        """Run `assay` there to its end, with a clock that is still further ahead."""
        command = self._command([*assay_words(self.ahead_s + ahead_s), *words])
        return subprocess.run(
            command,
            env=self.environment(),
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )

    def started(self, words: Sequence[str]) -> "PoweredOn":
        """Start a program there, which is all that runs there."""
        return PoweredOn(
            subprocess.Popen(
                self._command(words),
                env=self.environment(),
                cwd=self.folder,
                start_new_session=True,
            ),
            self.is_isolated,
        )

    def environment(self) -> dict[str, str]:
        """What programs of the machine are told."""
        ours = {"HOME": str(self.here / "home"), "XDG_CACHE_HOME": str(self.here / "cache")}
        if not self.is_isolated:
            ours["TMPDIR"] = str(self.here / "tmp")
        known = os.environ.get("PYTHONPATH", "")
        ours["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), known)))
        left_out = ("TMPDIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
        return {key: value for key, value in os.environ.items() if key not in left_out} | ours

    def _command(self, words: Sequence[str]) -> list[str]:
        if not self.is_isolated:
            return [*_TIED, *words]
        places = (self.name, self.folder, self._seen, self._all)
        return [*_TIED, *namespaces(), "sh", "-c", _MADE, "sh", *map(str, places), *words]


class PoweredOn:
    """What runs on a machine."""

    def __init__(self, process: "subprocess.Popen[bytes]", is_isolated: bool) -> None:
        self._process, self._is_isolated = process, is_isolated

    @property
    def is_on(self) -> bool:
        return self._process.poll() is None

    def cut(self) -> None:
        """Kill all at once: with the first process of a namespace, all of it ends."""
        if self._is_isolated:
            self._process.kill()
        else:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def ended(self) -> int:
        """Wait for its end; its exit code."""
        return self._process.wait()

    def close(self) -> None:
        """End it, if it has not ended."""
        if self.is_on:
            self.cut()


def assay_words(ahead_s: float, *, steps: int = 0, after_s: float = 0.0) -> list[str]:
    """The beginning of a command line of `assay`; what the numbers do is said in `assay_there`."""
    numbers = map(str, (ahead_s, steps, after_s))
    return [sys.executable, "-m", "soak.assay_there", *numbers]


@cache
def namespaces() -> tuple[str, ...]:
    """The command that begins namespaces; empty: nobody here may.

    What is mounted there must not come back: each mount is made private, which is refused where
    the root is no mount (in a chroot), and is not needed where no mount is shared.
    """
    shared = "shared:" in Path("/proc/self/mountinfo").read_text()
    for how in ("private", *(() if shared else ("unchanged",))):
        command = (*_NAMESPACES, "--propagation", how)
        tried = "hostname trying && mount -t proc proc /proc && mount -t tmpfs tmpfs /tmp"
        try:
            words = [*command, "sh", "-c", tried]
            if subprocess.run(words, capture_output=True, check=False).returncode == 0:
                return command
        except OSError:
            return ()
    return ()
