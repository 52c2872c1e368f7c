"""A history of 1,000 runs shared through each kind of remote: what push and pull take.

    python -m benchmarks store_sharing
    ASSAY_SHARED_RUNS=10000 ASSAY_SHARED_BY=s3,ssh python -m benchmarks store_sharing

A run has 20 benchmarks in 10 launches of 5 repetitions. All remotes are on this machine: the
ssh one is a real sshd on loopback, the git one a bare repository behind file://, the s3 one a
SeaweedFS. What a network adds is the bytes, and some dozen questions for each thousand files; with
s3 one for each file, sixteen at once.
"""

import os
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from assay.facts import Facts
from assay.model import Record, Sample
from assay.record.store.remotes.opened import opened_remote
from assay.record.store.store import Store
from assay.workflows.sharing import Shared, pulled, pushed
from benchmarks.tools import ROOT, promised

sys.path.append(str(ROOT / "tests" / "support"))
from object_store import ALONE, WEED, object_store
from remotes import SFTP_SERVER, Place, git_place, ssh_place

RUNS = int(os.environ.get("ASSAY_SHARED_RUNS", "1000"))
KINDS = os.environ.get("ASSAY_SHARED_BY", "folder,git,ssh,s3").split(",")
_PULL_S = 10.0  # for 1,000 runs
_START_S, _SPAN_S = 1_700_000_000.0, 40_000_000.0  # of the history: later than now is not pushed


def main() -> bool:
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        store = _filled(folder / "ours", RUNS)
        size = _bytes_in(folder / "ours" / "runs")
        print(f"{RUNS} runs, {size / 2**20:.1f} MiB", flush=True)
        kept = [
            _is_kept(place, store, folder, size)
            for kind in KINDS
            if (place := _place(kind, folder, stack))
        ]
        return bool(kept) and all(kept)


def _place(kind: str, folder: Path, stack: ExitStack) -> Place | None:
    """A place of this kind; None: what it needs is not here, which is printed."""
    if kind == "git":
        return git_place(folder, filters=True)
    if kind == "ssh" and Path(SFTP_SERVER).exists():
        return stack.enter_context(ssh_place(folder))
    if kind == "s3" and WEED:
        (folder / "objects").mkdir()
        there = stack.enter_context(object_store(folder / "objects"))
        os.environ.update({**ALONE, **there.variables()})
        return there.new_place()
    if kind == "folder":
        (folder / "mount").mkdir()
        return Place(str(folder / "mount"), folder / "mount", "folder")
    print(f"{kind}: left out, there is no server for it here")
    return None


def _is_kept(place: Place, store: Store, folder: Path, size: int) -> bool:
    there = folder / f"theirs-{place.kind}"
    _timed("push", store.folder.root, place)
    os.environ["XDG_CACHE_HOME"] = str(folder / f"cache-{place.kind}")  # another machine's
    pull_s, first = _timed("pull", there, place)
    _, again = _timed("pull", there, place, "nothing to pull")
    Store.opened(there).add(_record(random.Random(3), RUNS), kind="run", now_s=time.time())
    _, one = _timed("push", there, place, "one more pushed")
    if place.kind != "s3":  # whose server's files are its own affair
        ratio = _bytes_in(place.folder) / size
        print(f"  the remote has {ratio:.2f} times the runs' bytes", flush=True)
    kept = promised("pulling them", pull_s, _PULL_S * RUNS / 1000, "s")
    return kept and (first.runs, again.runs, one.runs) == (RUNS, 0, 1)


def _processor_s() -> float:
    """Of this process and those it waited for: what a busy machine does not make longer."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _timed(verb: str, root: Path, place: Place, what: str = "") -> tuple[float, Shared]:
    """Push or pull; prints and returns the seconds, and what was copied."""
    began_s, before_s = time.perf_counter(), _processor_s()
    with opened_remote(place.written, Path.cwd(), print) as remote:
        done = (pushed if verb == "push" else pulled)(root, remote, time.time(), lambda *_: None)
    if done.problems:
        raise RuntimeError(done.problems[0])
    took_s, processor_s = time.perf_counter() - began_s, _processor_s() - before_s
    said = f"{took_s:.2f} s, {processor_s:.2f} s of them of the processor"
    print(f"{place.kind}: {what or verb}: {said}", flush=True)
    return took_s, done


def _filled(root: Path, runs: int) -> Store:
    store, chance = Store.opened_or_made(root), random.Random(1)
    for number in range(runs):
        store.add(_record(chance, number), kind="run", now_s=_START_S + number * _SPAN_S / runs)
    return store


def _record(chance: random.Random, number: int) -> Record:
    samples = tuple(
        Sample(
            benchmark=f"bench_{bench:02}",
            values={"real_time": tuple(437.0 * chance.lognormvariate(0, 0.01) for _ in range(5))},
            launch=launch,
        )
        for launch in range(10)
        for bench in range(20)
    )
    facts = {"host": {"cpu_model": "Made up", "cpus": 2}, "git": {"revision": f"{number:040x}"}}
    return Record(context={}, facts=Facts.read(facts, where=""), samples=samples)


def _bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
