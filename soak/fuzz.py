"""Mutated files for every reader, guided by what code they reach (atheris, libFuzzer).

    ./dev soak --minutes 30 fuzz                        all readers, 30 minutes each
    .venv/bin/python -m soak.fuzz callgrind 60          one, for 60 seconds, in this process

A reader may give a value or `InputError`; anything else ends the run, and the file that did it is
kept in build/fuzz. So does a file that takes over 10 s or 1 GB.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import TypeGuard

ROOT = Path(__file__).resolve().parent.parent
FOUND = ROOT / "build" / "fuzz"
DATA = ROOT / "tests" / "data"
_LIMITS = ("-timeout=10", "-rss_limit_mb=1024", "-max_len=100000", "-seed=27")
Reader = Callable[[bytes], object]


def readers() -> dict[str, tuple[Reader, list[bytes]]]:
    """Each with the contents that mutation begins with."""
    return {**_ours(), **_of_others()}


def _ours() -> dict[str, tuple[Reader, list[bytes]]]:
    from assay.measure.profile.exact import callgrind_file
    from assay.measure.profile.sampled import perf_text
    from assay.project.project import SMALLEST, parse_project
    from assay.record import reader
    from assay.record.journal import parse_journal
    from assay.record.store.run_file import decode

    golden = [path.read_bytes() for path in sorted((ROOT / "schema" / "golden").glob("*.json"))]
    journals = [b'{"assay_journal":1,"context":{},"facts":{}}\n{"row":%s}\n' % ROW]
    return {
        "json": (lambda data: reader.parse(data, "x"), golden),
        "journal": (lambda data: parse_journal(data, "x"), journals),
        "parquet": (lambda data: decode(data, "x"), _stored(golden[0])),
        "toml": (lambda data: parse_project(_text(data), Path("x"), "x"), [SMALLEST.encode()]),
        "callgrind": (lambda data: callgrind_file.parse(_text(data)), [CALLGRIND]),
        "perf": (lambda data: list(perf_text.parse(_text(data))), [PERF]),
    }


def _of_others() -> dict[str, tuple[Reader, list[bytes]]]:
    from assay.record.formats.table import IMPORTERS

    files = [path.read_bytes() for path in DATA.rglob("*") if path.is_file()]
    files.append(b"name,iterations,real_time,cpu_time,time_unit\nBM_a,100,10,9,ns\n")
    return {
        one.name: (partial(_parsed, one.parse), [data for data in files if one.looks_like(data)])
        for one in IMPORTERS
    }


def _parsed(parse: Callable[[bytes, str], object], data: bytes) -> object:
    return parse(data, "x")


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _stored(document: bytes) -> list[bytes]:
    """A run of a store, as it lies on the disk."""
    from assay.record import reader
    from assay.record.store.store import Store

    with tempfile.TemporaryDirectory() as name:
        store = Store.opened_or_made(Path(name))
        run = store.add(reader.parse(document, "x"), kind="run", now_s=1_790_000_000.0)
        return [store.folder.file_of(run).read_bytes()]


ROW = (
    b'{"name":"BM_a","run_name":"BM_a","run_type":"iteration","iterations":9,'
    b'"real_time":1.5,"cpu_time":1.5,"time_unit":"ns"}'
)
CALLGRIND = b"""version: 1
positions: line
events: Ir

ob=(1) /bench
fl=(1) a.cpp
fn=(1) main
3 12
cfn=(2) work
calls=2 7
4 100

fn=(2)
7 100

totals: 112
"""
PERF = b"""bench 7/7 1.5:     1000 task-clock:
\t55d0 work+0x10 (/bench)
\t55e0 main+0x20 (/bench)

"""


def soak(minutes: float) -> list[str]:
    """Every reader for so long, each in a process of its own; what was found, in words."""
    wrong = []
    for name in readers():
        command = [sys.executable, "-m", "soak.fuzz", name, str(round(60 * minutes))]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            wrong.append(f"{name}: {done.stderr[-2000:]}")
        else:
            print(f"fuzz: {name} holds", flush=True)
    return wrong


def fuzz(name: str, seconds: int) -> None:
    """One reader, in this process, which libFuzzer ends."""
    import atheris

    read, seeds = readers()[name]
    for function in _functions():
        atheris.instrument_func(function)
    from assay.errors import AssayError

    def tried(data: bytes) -> None:
        try:
            read(data)
        except AssayError:
            return

    corpus = FOUND / "corpus" / name.replace(" ", "-").replace("/", "-")
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(data)
    artefacts = f"-artifact_prefix={FOUND}/{corpus.name}-"
    limits = (*_LIMITS, f"-max_total_time={seconds}", artefacts)
    atheris.Setup([sys.argv[0], *limits, str(corpus)], tried)
    atheris.Fuzz()


def _functions() -> Iterator[FunctionType]:
    """Those of Assay that are imported by now: an editable installation passes by atheris' hook
    for imports."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "assay":
            for value in vars(module).values():
                inner = vars(value).values() if isinstance(value, type) else (value,)
                yield from (one for one in inner if _is_of(one, name))


def _is_of(value: object, module: str) -> TypeGuard[FunctionType]:
    return isinstance(value, FunctionType) and value.__module__ == module


if __name__ == "__main__":
    fuzz(sys.argv[1], int(sys.argv[2]))
