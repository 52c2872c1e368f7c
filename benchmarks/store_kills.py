"""Two processes store runs, one packs them, one reads; one is killed, 200 times at random moments.

Promised: every run that a process said it had stored can be read, no run is there in part, the
catalogue has them all, and nobody has to mend anything by hand.
"""

import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from assay.judge.labs.run_point import run_point
from assay.record.store.catalogue import Catalogue
from assay.record.store.store import Store

KILLS = 200
_LONGEST_S = 0.25  # after the start of its work; a run takes about 0.02 s to store

_WRITER = """
import sys, time
from pathlib import Path
from assay.model import Record, Sample
from assay.record.store.store import Store
store = Store.opened_or_made(Path(sys.argv[1]))
samples = tuple(Sample(benchmark=f"b{n % 20}", values={"real_time": (1.5 * n,) * 7}, launch=n)
                for n in range(400))
print("ready", flush=True)
for number in range(int(sys.argv[2])):
    run = store.add(Record(context={}, facts={}, samples=samples), kind="run", now_s=time.time())
    print(run, flush=True)
"""
_READER = """
import sys
from pathlib import Path
from assay.judge.labs.run_point import run_point
from assay.record.store.catalogue import Catalogue
from assay.record.store.folder import Folder
print("ready", flush=True)
while True:
    with Catalogue(Folder.opened(Path(sys.argv[1])), run_point) as catalogue:
        catalogue.refresh()
        catalogue.runs()
"""
_PACKER = """
import sys
from pathlib import Path
from assay.record.store.compaction import compact_store
from assay.record.store.folder import Folder
print("ready", flush=True)
while True:
    compact_store(Folder.opened(Path(sys.argv[1])), lambda done, of: None)
"""


def main(kills: int = KILLS, seed: int = 20261123) -> bool:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / ".assay"
        Store.opened_or_made(root)
        told: list[str] = []
        killed: Counter[str] = Counter()
        for _ in range(kills):
            who = chance.choice(("writer", "reader", "packer"))
            killed[who] += 1
            told += _killed(root, who, chance.uniform(0, _LONGEST_S))
        return _all_is_well(root, told, killed)


def _killed(root: Path, who: str, after_s: float) -> list[str]:
    """One of three processes is killed, the others end by themselves: the runs told as stored."""
    writers = [_started(_WRITER, root, "10000" if who == "writer" else "6")]
    writers.append(_started(_WRITER, root, "3"))
    others = {"reader": _started(_READER, root), "packer": _started(_PACKER, root)}
    time.sleep(after_s)
    others.get(who, writers[0]).kill()
    ended = [name for name, other in others.items() if name != who and other.poll() is not None]
    if ended:
        raise RuntimeError(f"ended without being killed: {', '.join(ended)}")
    told = [line for writer in writers for line in writer.communicate()[0].splitlines()]
    for other in others.values():
        other.kill()
        other.communicate()
    if writers[1].returncode:
        raise RuntimeError("the writer that was not killed failed")
    return [line for line in told if line.count("-") == 2 and len(line) == 27]


def _started(program: str, *words: object) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, words)], stdout=subprocess.PIPE, text=True
    )
    if process.stdout is None or process.stdout.readline() != "ready\n":
        raise RuntimeError("a process did not start")
    return process


def _all_is_well(root: Path, told: list[str], killed: Counter[str]) -> bool:
    store = Store.opened(root)
    runs = store.folder.runs()
    lost = set(told) - set(runs)
    unreadable = [run for run in runs if len(store.load(run).samples) != 400]
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
        listed = [row.run for row in catalogue.runs() if not row.problem]
    print(", ".join(f"{count} {who}s killed" for who, count in killed.items()))
    print(f"{len(told)} runs told as stored, {len(lost)} of them lost")
    print(f"{len(runs)} runs there, {len(unreadable)} unreadable, {len(listed)} in the catalogue")
    in_packs = len(runs) - len(store.folder.runs_alone())
    print(f"{in_packs} of them in packs")
    return bool(told and in_packs) and not lost and not unreadable and listed == runs
