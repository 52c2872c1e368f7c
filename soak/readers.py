"""What is given mutated bytes: every reader by itself, and whole verbs behind them.

    target = targets()["json"]
    target.read(data)                    # a value, or an error of Assay's; else it is a finding
    target.change(data, random.Random(7))

A file can be read and yet end what is done with it: a record with an odd number once ended the
verdict. So "verbs" are whole command lines, whose exit code 70 is a finding.
"""

import contextlib
import io
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from soak.documents import json_document, json_lines, run_file

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
Read = Callable[[bytes], object]
Change = Callable[[bytes, random.Random], bytes]


@dataclass(frozen=True)
class Target:
    """A reader, what mutation begins with, and how a document is changed that stays one."""

    read: Read
    seeds: list[bytes]
    change: Change | None = None  # None: by libFuzzer alone
    words: tuple[str, ...] = ()  # that libFuzzer puts in
    of_others: bool = False  # a format of another tool


def targets() -> dict[str, Target]:
    """By name."""
    return {**_ours(), **_verbs(), **_of_others()}


def _ours() -> dict[str, Target]:
    from assay.measure.profile.exact import callgrind_file
    from assay.measure.profile.sampled import perf_text
    from assay.record import reader
    from assay.record.journal import parse_journal
    from assay.record.store.run_file import decode

    return {
        "json": Target(lambda data: reader.parse(data, "x"), _golden(), json_document),
        "journal": Target(lambda data: parse_journal(data, "x"), _journals(), json_lines),
        "parquet": Target(lambda data: decode(data, "x"), [_stored()], run_file),
        "toml": Target(_project, _projects(), words=_TOML_WORDS),
        "labels": Target(_labels, [b"name\x00" + RUN, b"a%2Fb\x00../../../etc/passwd\n"]),
        "callgrind": Target(lambda data: callgrind_file.parse(_text(data)), [CALLGRIND]),
        "perf": Target(lambda data: list(perf_text.parse(_text(data))), [PERF]),
    }


def _verbs() -> dict[str, Target]:
    return {
        "verbs of JSON": Target(partial(_verb, _FILE_VERBS, "x.json"), _golden(), json_document),
        "verbs of journals": Target(partial(_verb, _FILE_VERBS, "x"), _journals(), json_lines),
        "verbs of a store": Target(_verb_of_store, [_stored()], run_file),
    }


def _of_others() -> dict[str, Target]:
    from assay.record.formats.table import IMPORTERS

    files = [path.read_bytes() for path in sorted(DATA.rglob("*")) if path.is_file()]
    files.append(b"name,iterations,real_time,cpu_time,time_unit\nBM_a,100,10,9,ns\n")
    found = {}
    for one in IMPORTERS:
        seeds = [data for data in files if one.looks_like(data)]
        is_json = seeds[0].lstrip()[:1] in (b"{", b"[")
        read = partial(_parsed, one.parse)
        found[one.name] = Target(read, seeds, json_document if is_json else None, of_others=True)
    return found


def _parsed(parse: Callable[[bytes, str], object], data: bytes) -> object:
    return parse(data, "x")


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _golden() -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / "schema" / "golden").glob("*.json"))]


def _journals() -> list[bytes]:
    head = b'{"assay_journal":1,"context":{},"facts":{}}\n'
    planned = b'{"planned":{"benchmarks":["BM"],"margin":0.02,"fewest":12,"limit_s":80.0}}\n'
    ended = b'{"ended":true}\n{"kept":"20261125-190000-1-cafe"}\n'
    return [head + planned + b'{"row":%s}\n{"row":%s}\n' % (ROW, ROW) + ended]


def _project(data: bytes) -> object:
    from assay.project.project import parse_project

    return parse_project(_text(data), Path("x"), "x")


def _projects() -> list[bytes]:
    from assay.project.project import SMALLEST

    return [SMALLEST.encode(), TOML]


@contextlib.contextmanager
def _store_with(path: str, data: bytes) -> Iterator[Path]:
    """A store that holds one file of a stranger."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        place = Path(name) / path
        place.parent.mkdir(parents=True)
        (Path(name) / "store.json").write_text('{"assay_store": 1}')
        place.write_bytes(data)
        yield Path(name)


def _labels(data: bytes) -> object:
    """A file's name and content: what it names must be the name of a run, in the store."""
    from assay.record.store.folder import Folder

    name, _, content = data.partition(b"\x00")
    label = "".join(c for c in _text(name) if c not in "/\x00").encode("utf-8")[:200] or b"x"
    if label in (b".", b".."):
        return None
    with _store_with("labels/first", b"") as root:
        (root / "labels" / label.decode(errors="ignore")).write_bytes(content)
        folder = Folder(root)
        for run in folder.labels().values():
            assert folder.file_of(run).resolve().is_relative_to(root.resolve())
        return list(folder.sentences_on_left_out())


def _verb(verbs: tuple[tuple[str, ...], ...], file: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        (Path(name) / file).write_bytes(data)
        (Path(name) / "good.json").write_bytes(_golden()[-1])
        words = [str(Path(name) / file) if one == "FILE" else one for one in _chosen(verbs, data)]
        _invoked([one.replace("DIR", name) for one in words])


def _verb_of_store(data: bytes) -> None:
    with _store_with(f"runs/2026-01/{RUN.decode()}.parquet", data) as root:
        _invoked([one.replace("DIR", str(root)) for one in _chosen(_STORE_VERBS, data)])


def _chosen(verbs: tuple[tuple[str, ...], ...], data: bytes) -> tuple[str, ...]:
    return verbs[sum(data[-64:]) % len(verbs)]


def _invoked(words: list[str]) -> None:
    from assay.cli import invoke

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = invoke(words)
    if code == 70 or "Traceback" in err.getvalue():
        raise AssertionError(f"{words} ended with {code}: {err.getvalue()[-3000:]}")


_FILE_VERBS = (
    ("compare", "FILE", "DIR/good.json"),
    ("compare", "DIR/good.json", "FILE", "--gate", "--markdown", "DIR/m", "--junit", "DIR/j"),
    ("compare", "FILE", "--json", "DIR/out"),
    ("compare", "FILE", "FILE", "--format", "gbench"),
    ("list", "FILE"),
    ("report", "FILE", "-o", "DIR/page.html"),
    ("multiview", "FILE", "DIR/good.json", "-o", "DIR/page.html"),
    ("runs", "import", "FILE", "--store", "DIR/store"),
)
_STORE_VERBS = (
    ("runs", "--store", "DIR"),
    ("runs", "show", "LAST", "--store", "DIR"),
    ("history", "--store", "DIR", "--json", "DIR/h"),
    ("compare", "run:LAST", "--store", "DIR"),
    ("runs", "export", "LAST", "-o", "DIR/e.csv", "--store", "DIR"),
)
RUN = b"20260101-000000.000000-abcd"
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
TOML = b"""[build]
commands = ["make", 'make bench']
environment = { CXX = "c++", "a b" = "c" }
placement = "keep"
timeout_s = 1e3
[suites.main]
run = "build/bench --x"
margin = 0.02
metrics = ["real_time"]
[suites."other one"]
run = "cmd:./run"
[compare]
alpha = 0.05
budget_s = 10
rounds = 30
[history]
metrics = []
[host]
class = "ci"
[store]
path = ".assay"
"""
_TOML_WORDS = (
    *("[build]\n", "[[suites]]\n", "[suites.x]\n", "commands = ", "environment = ", "run = "),
    *("margin = ", "alpha = ", "budget_s = ", "[compare]\n", "[store]\n", "path = ", '"""', "'''"),
    *(
        "1979-05-27T07:32:00Z",
        "inf",
        "nan",
        "0x",
        "[",
        "{",
        "}",
        "]",
        " = ",
        "\\u0041",
        "timeout_s",
    ),
)


def _stored() -> bytes:
    """A run of a store, as it lies on the disk."""
    from assay.record import reader
    from assay.record.store.store import Store

    with tempfile.TemporaryDirectory() as name:
        store = Store.opened_or_made(Path(name))
        run = store.add(reader.parse(_golden()[0], "x"), kind="run", now_s=1_790_000_000.0)
        return store.folder.file_of(run).read_bytes()
