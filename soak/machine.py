"""What one machine does that shares a history: adds runs, pushes and pulls, all at once.

    python -m soak.machine ORDERS       # JSON, see `Orders`; it ends when the file `stop` is there

Whatever it was told, or saw end, it appends to a log, a line each: who is killed with the whole
machine leaves a log that says what was told until then. Some of what it runs is killed, at a step
of its work or at a moment of the time that it takes.
"""

import hashlib
import itertools
import random
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import msgspec

from assay.facts import Facts
from assay.model import Record, Sample
from assay.record.store.store import Store
from soak.machines import assay_words

_FIRST_GUESS_S = 1.0  # of how long a push takes, before one was seen to end
_CONTESTED = "best"  # a label that every machine gives to a run of its own
_MOST_STEPS = 12  # of its work after which a command is killed: files written, programs started
_LEAST_AFTER_S = 0.005  # between that step and the kill; a hundred times as long at most
_KEPT_WORDS = 4000  # bytes of an error that are kept in the log


class Orders(msgspec.Struct, frozen=True):
    """What a machine is to do. All paths are as it sees them."""

    name: str = ""
    seed: str = ""
    remote: str = ""  # as on a command line
    folder: str = "."  # its own, with the store
    stop: str = ""  # a file: when it is there, what was begun is ended
    ahead_s: float = 0.0  # seconds that its clock is ahead
    pause_s: float = 0.3  # between two runs, on average
    cache_s: float = 20.0  # between two times that it deletes its cache, at most
    killed_share: float = 0.4  # of the pushes and of the pulls
    compacts: bool = False  # whether it compacts its store
    compacted_remote: str = ""  # a folder that it compacts, too


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the log: a run that was stored, a label given, or a command that ended."""

    what: str  # "run", "label", "push", "pull", "compact", "cache"
    machine: str
    began_s: float = 0.0  # by the kernel's monotonic clock, which all machines share
    ended_s: float = 0.0
    code: int = 0
    said: str = ""  # on standard error
    run: str = ""
    digest: str = ""  # of the bytes of the run
    label: str = ""
    at_work: bool = False  # if it was killed, then at a step of its work

    @property
    def is_killed(self) -> bool:
        return self.code == -signal.SIGKILL

    def is_during(self, other: "Event") -> bool:
        """Whether both happened on one machine, and at one time in part."""
        return self.machine == other.machine and self._meets(other)

    def is_beside(self, other: "Event") -> bool:
        """Whether both happened on two machines, and at one time in part."""
        return self.machine != other.machine and self._meets(other)

    def _meets(self, other: "Event") -> bool:
        return self.began_s < other.ended_s and other.began_s < self.ended_s


def record_made(mark: str) -> Record:
    """A small record that no other run holds: its revision is `mark`."""
    samples = tuple(
        Sample(benchmark=f"b{number % 3}", values={"real_time": (1.5 * number,)}, launch=number)
        for number in range(12)
    )
    facts = {"host": {"cpu_model": "Made up", "cpus": 2}, "git": {"revision": mark}}
    return Record(context={}, facts=Facts.read(facts, where=""), samples=samples)


class Worker:
    """One of the things that a machine does over and over, in a thread."""

    def __init__(self, orders: Orders, what: str, log: IO[bytes]) -> None:
        self.orders, self._log, self.what = orders, log, what
        self.chance = random.Random(f"{orders.seed} {what}")
        self._took_s = [_FIRST_GUESS_S]

    def is_stopped(self) -> bool:
        return Path(self.orders.stop).exists()

    def note(self, event: Event) -> None:
        """Append to the log, in one call: lines of several threads are not mixed."""
        self._log.write(msgspec.json.encode(event) + b"\n")

    def run(self, *words: str, killed_share: float = 0.0) -> None:
        """Run `assay`, and kill it before its end or not: at a step of its work, or by a clock."""
        steps, limit_s = 0, None
        if (drawn := self.chance.random()) < killed_share / 4:
            limit_s = self.chance.uniform(0, statistics.median(self._took_s[-5:]))
        elif drawn < killed_share:
            steps = self.chance.randint(1, _MOST_STEPS)
        after_s = _LEAST_AFTER_S * 100 ** self.chance.random()
        command = [*assay_words(self.orders.ahead_s, steps=steps, after_s=after_s), *words]
        began_s = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, said = process.communicate(timeout=limit_s)
            self._took_s.append(time.monotonic() - began_s)
        except subprocess.TimeoutExpired:
            process.kill()
            _, said = process.communicate()
        self.note(
            Event(
                self.what,
                self.orders.name,
                began_s,
                time.monotonic(),
                process.returncode,
                said[-_KEPT_WORDS:].decode(errors="replace"),
                at_work=steps > 0,
            )
        )


def add_runs(worker: Worker) -> None:
    """Store one run after the other, and give some a label."""
    orders, chance = worker.orders, worker.chance
    store = Store.opened_or_made(Path(orders.folder) / ".assay")
    for number in itertools.count():
        if worker.is_stopped():
            return
        mark = f"{chance.getrandbits(160):040x}"
        run = store.add(record_made(mark), kind="run", now_s=time.time() + orders.ahead_s)
        digest = hashlib.sha256(store.folder.read(run)).hexdigest()
        worker.note(Event("run", orders.name, run=run, digest=digest))
        if number % 7 == 1:
            label = f"{orders.name}/{mark[:8]}" if number > 1 else _CONTESTED
            if label not in store.folder.labels():
                store.folder.label(run, label)
                worker.note(Event("label", orders.name, run=run, label=label))
        time.sleep(chance.uniform(0, 2 * orders.pause_s))


def share(worker: Worker) -> None:
    """Push or pull over and over; some are killed."""
    words = ("runs", worker.what, worker.orders.remote, "--store", ".assay")
    while not worker.is_stopped():
        worker.run(*words, killed_share=worker.orders.killed_share)
        time.sleep(worker.chance.uniform(0, worker.orders.pause_s))


def compact(worker: Worker) -> None:
    """Compact the store, and the remote where that is a folder."""
    while not worker.is_stopped():
        time.sleep(worker.chance.uniform(0, 5 * worker.orders.pause_s))
        store = worker.chance.choice([".assay", worker.orders.compacted_remote or ".assay"])
        if (Path(store) / "store.json").exists():
            worker.run("runs", "compact", "--store", store, killed_share=0.3)


def drop_cache(worker: Worker) -> None:
    """Delete the cache while it is used, as anybody may."""
    cache = Path(worker.orders.folder) / "cache"
    while not worker.is_stopped():
        time.sleep(worker.chance.uniform(0, worker.orders.cache_s))
        if cache.exists():
            began_s = time.monotonic()
            shutil.rmtree(cache, ignore_errors=True)
            worker.note(Event("cache", worker.orders.name, began_s, time.monotonic()))


def main(orders: Orders) -> None:
    """Do all at once until told to stop."""
    tasks: dict[str, Callable[[Worker], None]] = {
        "run": add_runs,
        "push": share,
        "pull": share,
        "cache": drop_cache,
    }
    if orders.compacts:
        tasks["compact"] = compact
    with (Path(orders.folder) / "log").open("ab", buffering=0) as log:
        threads = [
            threading.Thread(target=task, args=(Worker(orders, what, log),))
            for what, task in tasks.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(msgspec.json.decode(sys.argv[1], type=Orders))
