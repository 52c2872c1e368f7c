"""One measurement at a time on a machine, whoever starts it.

    with measuring_alone(announce):              # waits while another one measures, and says so
        ...
    with measuring_alone(announce, waits=False): # raises `MeasurementError` instead

The lock (`flock`) is on the folder /dev. Every machine has it, all users can open it, and only root
can replace it. So no file has to be made in a folder that others can write to, nothing is left
behind, and the kernel drops the lock when its process dies, however it dies. ASSAY_MACHINE_LOCK
names another folder to lock: one that several containers share, or a private one for measurements
that must not wait for the rest of the machine.

A process started by the one that measures (a benchmark of `assay` itself) does not wait for it,
because it is part of that measurement. Neither do several threads of one process.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assay.encoding import legible_text
from assay.errors import MeasurementError

FOLDER = "/dev"  # the folder whose lock means "somebody measures on this machine"
VARIABLE = "ASSAY_MACHINE_LOCK"  # environment variable that names another folder to lock
_LONGEST_NAME = 80  # characters of a command line that a message shows


@contextmanager
def measuring_alone(tell: Callable[[str], None], *, waits: bool = True) -> Iterator[None]:
    """Hold the machine's lock, so that no other Assay measures here inside the block. Raises
    `MeasurementError`."""
    lock = lock_machine(tell, waits=waits)
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def lock_machine(tell: Callable[[str], None], *, waits: bool = True) -> int | None:
    """A descriptor that holds the machine's lock until it is closed; None if an ancestor of ours
    holds the lock."""
    descriptor = _descriptor_of_lock(os.environ.get(VARIABLE) or FOLDER)
    try:
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        holders = _processes_holding_lock(descriptor)
        if holders & _ourselves_and_ancestors():
            os.close(descriptor)
            return None
        _wait(descriptor, holders, tell, waits=waits)
    except BaseException:
        with suppress(OSError):
            os.close(descriptor)
        raise
    return descriptor


def _wait(descriptor: int, holders: set[int], tell: Callable[[str], None], *, waits: bool) -> None:
    """Wait for the lock (a signal interrupts this), or raise `MeasurementError` if not `waits`."""
    who = _holder_in_words(holders)
    if not waits:
        what = f"another measurement runs on this machine: {who}"
        raise MeasurementError(what, hint="wait for its end, or leave --when-busy=refuse out")
    tell(f"waiting for {who}, which measures on this machine: one measurement at a time")
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def _descriptor_of_lock(folder: str) -> int:
    """A descriptor of the folder to lock. Raises `MeasurementError`."""
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        hint = f"{VARIABLE} names a folder that all who measure here can open"
        what = f"cannot be locked while measuring: {error.strerror}"
        raise MeasurementError(what, where=folder, hint=hint) from None


def _processes_holding_lock(descriptor: int) -> set[int]:
    """Ids of the processes that hold a lock on the folder, as far as they are visible to us."""
    about = os.fstat(descriptor)
    place = f"{os.major(about.st_dev):02x}:{os.minor(about.st_dev):02x}:{about.st_ino}"
    try:
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return set()
    # /proc/locks has lines like "1: FLOCK  ADVISORY  WRITE 14100 00:06:1 0 EOF", with "->" after
    # the first number for a process that waits for the lock.
    rows = (line.split() for line in lines)
    return {int(row[4]) for row in rows if row[1] == "FLOCK" and row[5] == place}


def _ourselves_and_ancestors() -> set[int]:
    """Process ids of this process, its parent, the parent of that, and so on."""
    found, pid = set(), os.getpid()
    while pid > 0 and pid not in found:
        found.add(pid)
        pid = _parent_process(pid)
    return found


def _parent_process(pid: int) -> int:
    """The parent's process id; 0 if it is not known."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def _holder_in_words(holders: set[int]) -> str:
    """One of the processes that hold the lock, by its process id and command line."""
    if not holders:
        return "another process"
    pid = min(holders)
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        words = []
    line = legible_text(" ".join(" ".join(map(os.fsdecode, words)).split()))
    short = line if len(line) <= _LONGEST_NAME else f"{line[:_LONGEST_NAME]} ..."
    return f"process {pid} ({short})" if short else f"process {pid}"
