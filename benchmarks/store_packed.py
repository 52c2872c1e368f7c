"""The same store with a file for each run and compacted: what each verb takes, side by side.

    python -m benchmarks store_packed
    ASSAY_PACKED_RUNS=10000 python -m benchmarks store_packed

A run has 10 benchmarks in 3 launches. What is timed is done to one store and then to the other, in
turns; a figure is the least of 7 (of 3 or 1 where it takes long), a ratio is packed over unpacked.
Next to the clock's is the ratio of the processor's time, which a busy machine lengthens less. What
a process remembers of packs is forgotten before each.
"""

import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from assay.judge.labs.run_point import run_point
from assay.record.store import packs
from assay.record.store.catalogue import Catalogue
from assay.record.store.compaction import compact_store
from assay.record.store.folder import Folder
from assay.record.store.remotes.folder_remote import FolderRemote
from assay.record.store.run_file import Header, encode
from assay.record.store.run_id import month_of, new_run_id
from assay.record.store.shared_files import SharedFiles
from assay.record.store.store import Store
from assay.workflows.sharing import pulled
from benchmarks.made_stores import made
from benchmarks.tools import ASSAY, promised

RUNS = os.environ.get("ASSAY_PACKED_RUNS", "1000 10000")
_BENCHMARKS, _SEED = 10, 51
_START_S, _APART_S = 1_700_000_000.0, 3600.0
_FEW_RUNS = 1000  # with more, what syncs or reads every run would take minutes


class Row(NamedTuple):
    """Something that is done to a store, and how often."""

    what: str
    do: Callable[[Path], object]
    times: int = 7


def main() -> bool:
    kept = [_is_kept(int(runs)) for runs in RUNS.split()]
    return all(kept)


def _is_kept(runs: int) -> bool:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alone, packed = folder / "alone", folder / "packed"
        _fill(alone, runs)
        _catalogue_made(alone)
        shutil.copytree(alone, packed)
        began_s = time.perf_counter()
        done = compact_store(Folder.opened(packed), lambda *_: None)
        print(f"{runs} runs compacted in {time.perf_counter() - began_s:.1f} s")
        print(f"{'':34}{'files':>12}{'packs':>12}{'ratio':>8}{'processor':>12}")
        _print_sizes("files of runs and packs", _count(alone), _count(packed))
        _print_sizes("MiB on the disk", _mib(alone), _mib(packed))
        ratios = {row.what: _ratio(row, alone, packed) for row in _rows(folder, runs)}
        same = Folder.opened(alone).runs() == Folder.opened(packed).runs()
    return all(
        [
            same and done.runs == runs,
            promised("assay runs, packed over unpacked", ratios["assay runs"], 1.1, "times"),
            promised("assay history RE, likewise", ratios["assay history RE"], 1.1, "times"),
            promised("nothing to pull, likewise", ratios["nothing to pull"], 1.0, "times"),
        ]
    )


def _rows(folder: Path, runs: int) -> Iterator[Row]:
    oldest = Folder.opened(folder / "alone").runs()[0]
    yield Row("names of runs", lambda root: Folder.opened(root).runs())
    yield Row("the newest", lambda root: Folder.opened(root).newest())
    yield Row(
        "names and sizes, to be shared", lambda root: SharedFiles(Folder.opened(root)).listed()
    )
    yield Row("assay runs", lambda root: _assay("runs", root), 3)
    yield Row("assay history RE", lambda root: _assay("history", root, "case_0001"), 3)
    yield Row("assay runs show RUN", lambda root: _assay("runs", root, "show", oldest), 3)
    yield Row("a run added", _added)
    yield Row("nothing to pull", lambda root: _pull(root, root.with_name(f"{root.name}-there")))
    yield Row("all of it copied (cp -r)", _copied, 3)
    if runs <= _FEW_RUNS:
        yield Row("the catalogue made anew", _catalogue_made, 1)
        yield Row("all runs pulled from it", lambda root: _pull(root, folder / "new"), 1)


def _ratio(row: Row, alone: Path, packed: Path) -> float:
    """Time both in turns, and print it."""
    took: dict[Path, list[tuple[float, float]]] = {alone: [], packed: []}
    for root in took:  # for `nothing to pull`: a store that has it all
        there = root.with_name(f"{root.name}-there")
        if row.what == "nothing to pull":
            shutil.copytree(root, there)
    for _ in range(row.times):
        for root, some in took.items():
            shutil.rmtree(alone.parent / "new", ignore_errors=True)
            packs._entries_of.cache_clear()
            began_s, used_s = time.perf_counter(), _processor_s()
            row.do(root)
            some.append((time.perf_counter() - began_s, _processor_s() - used_s))
    (here_s, here_used_s), (there_s, there_used_s) = map(_least, took.values())
    print(f"{row.what:34}{1000 * here_s:>9.1f} ms{1000 * there_s:>9.1f} ms", end="")
    print(f"{there_s / here_s:>8.2f}{there_used_s / here_used_s:>12.2f}", flush=True)
    return there_used_s / here_used_s


def _least(some: list[tuple[float, float]]) -> tuple[float, float]:
    """The least time of the clock, and of the processor."""
    return min(by_clock for by_clock, _ in some), min(used for _, used in some)


def _processor_s() -> float:
    """Of this process and of those it waited for."""
    ours, theirs = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime


def _print_sizes(what: str, here: float, there: float) -> None:
    print(f"{what:34}{here:>12.5g}{there:>12.4g}{there / here:>8.2f}")


def _fill(root: Path, runs: int) -> None:
    """Runs as a store writes them, but not synced."""
    Store.opened_or_made(root)
    levels = np.exp(np.random.default_rng(_SEED).uniform(3, 14, _BENCHMARKS))
    for number in range(runs):
        at_s = _START_S + number * _APART_S
        run = new_run_id(at_s, "", f"{number % 65536:04x}")
        path = root / "runs" / month_of(run) / f"{run}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        header = Header(run=run, time_s=at_s, host="Made up", revision=f"{number:040x}")
        path.write_bytes(encode(made(levels, number, _SEED), header))


def _catalogue_made(root: Path) -> None:
    (root / "catalogue.sqlite").unlink(missing_ok=True)
    with Catalogue(Folder.opened(root), run_point) as catalogue:
        catalogue.refresh()


def _assay(verb: str, root: Path, *words: str) -> None:
    command = [ASSAY, verb, *words, "--store", str(root)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _added(root: Path) -> None:
    """A run is stored and deleted again."""
    store = Store.opened(root)
    at_s = _START_S + 20_000 * _APART_S
    levels = np.full(_BENCHMARKS, 100.0)
    store.folder.delete(store.add(made(levels, 0, _SEED), kind="run", now_s=at_s))


def _pull(root: Path, into: Path) -> None:
    pulled(into, FolderRemote(root), time.time(), lambda *_: None)


def _copied(root: Path) -> None:
    shutil.copytree(root, root.with_name("new"))


def _files(root: Path) -> list[Path]:
    found = [*(root / "runs").rglob("*"), *(root / "packs").rglob("*")]
    return [path for path in found if path.is_file()]


def _count(root: Path) -> float:
    return len(_files(root))


def _mib(root: Path) -> float:
    return sum(path.stat().st_blocks for path in _files(root)) * 512 / 2**20
