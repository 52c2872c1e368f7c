"""Records and stores that a version wrote, which every later one reads; never written again.

`write` is called when a version is frozen; `told` is what nobody may read otherwise: benchmarks,
sides, rounds, values, histograms, series, failures.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import stores
from conftest import ROOT
from remotes import PROGRAM

from assay.model import Record
from assay.record.journal import Journal
from assay.record.reader import read
from assay.record.store.store import Store

RECORDS = ("session.json", "native_copy_element.json", "native_odd_rows.json")


def write(folder: Path) -> None:
    """Records as files and as a journal, a store of loose runs and a compacted one."""
    records = folder / "records"
    records.mkdir(parents=True)
    for name in RECORDS:
        shutil.copy(ROOT / "schema" / "golden" / name, records)
    session = read(records / "session.json")
    with Journal(records / "session.journal", session.context, session.facts) as journal:
        for item in (*session.samples, *session.failures):
            journal.append(item)
    for name in ("loose", "compacted"):
        root = folder / "stores" / name
        steps = {"BM_copy": stores.Step(1.5, at=1), "BM_sum": stores.Step()}
        kept = stores.filled(root, steps, runs=2)
        run_name = kept.add(session, kind="compare", now_s=stores.START_S + 3 * stores.DAY_S)
        assay("runs", "label", run_name, "v1", "--store", root)
    assay("runs", "compact", "--store", folder / "stores" / "compacted")
    for left in (*folder.rglob(".gitignore"), *folder.rglob("lock")):
        left.unlink()  # a store keeps itself out of git, and these are kept in it
    said = {path.name: told(read(path)) for path in sorted(records.iterdir())}
    kept_runs = {path.name: runs(path) for path in sorted((folder / "stores").iterdir())}
    (folder / "stored.json").write_text(json.dumps({"records": said, "stores": kept_runs}) + "\n")


def told(record: Record) -> list[Any]:
    """What nobody may read otherwise."""
    rows = [
        [
            *(one.benchmark, one.side, one.round, one.launch, one.time_unit, one.iterations),
            *(one.values, one.histograms, one.series),
        ]
        for one in record.samples
    ]
    return [msgspec.to_builtins(rows), [[one.benchmark, one.what] for one in record.failures]]


def runs(store: Path) -> dict[str, Any]:
    """By name of each run, its labels and what is in it. Whatever this makes in it is in a copy."""
    with tempfile.TemporaryDirectory(prefix="assay-promised-") as folder:
        root = Path(shutil.copytree(store, Path(folder) / "store"))
        listed = Path(folder) / "runs.json"
        assay("runs", "list", "--last", "0", "--json", listed, "--store", root)
        opened = Store.opened(root)
        return {
            one["run"]: [one["labels"], one["kind"], told(opened.load(one["run"]))]
            for one in json.loads(listed.read_text())["runs"]
        }


def assay(*words: object) -> None:
    """A verb, as a user types it; anything but success is an error."""
    command = [sys.executable, "-c", PROGRAM, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
