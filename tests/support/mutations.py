"""Damages our own files at random and reads them: JSON, journals, Parquet, labels, catalogues.

    findings = campaign("journal", count=1000, seed=1, folder=tmp_path)
    findings[0].seed, findings[0].error          # to repeat it: mutated("journal", seed)

A reader may refuse a file with an `AssayError`. Findings are any other exception, a Python warning,
and an answer that takes more than ten seconds.
"""

import io
import json
import random
import shutil
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from explanations import kept_answer
from using import look, use

from assay.answers import WhyQuestion
from assay.errors import AssayError
from assay.facts import Facts
from assay.model import Failure, Record, Sample, Side
from assay.record import hdr, reader
from assay.record.journal import Journal
from assay.record.store.folder import Folder
from assay.record.store.run_file import Header, encode
from assay.record.store.store import Store
from assay.record.writer import encode as encode_json

SLOWEST_S = 10.0
RUN = "20261101-101010.000001-abcd"
_ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 3, 1e308, -1e308, 1e-320, 10**400, -(2**63), 2**64),
    *(float("nan"), float("inf"), "", "x", "10", "\n", "=1", "\x00", "0001-01-01T00:00:00+14:00"),
    *([], {}, [[]], [None], {"a": None}, {"": 1}, [1, "2", {}], "x" * 5000, [0] * 300),
)


class Finding(NamedTuple):
    """A mutation that was not handled as it should be."""

    kind: str
    seed: int
    error: str


def campaign(kind: str, count: int, seed: int, folder: Path) -> list[Finding]:
    """Read `count` mutations of one kind of file; the seeds begin at `seed`."""
    findings = []
    for number in range(seed, seed + count):
        if error := _answer(KINDS[kind], number, folder):
            findings.append(Finding(kind, number, error))
    return findings


def _answer(try_one: Callable[[int, Path], None], seed: int, folder: Path) -> str:
    """What went wrong; empty if nothing did."""
    began_s = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try_one(seed, folder)
    except AssayError:
        pass  # refused with a message, as it should be
    except Exception:
        return traceback.format_exc()
    took_s = time.process_time() - began_s
    return f"it took {took_s:.0f} s of processor time" if took_s > SLOWEST_S else ""


def record() -> Record:
    """A comparison in four rounds with nearly everything that a record can hold."""
    samples = tuple(
        Sample(
            benchmark=name,
            values={"real_time": (10.0 + number, 11.0), "cpu_time": (9.5,), "allocs": (3.0,)},
            iterations=10,
            label="a label",
            side=side,
            round=number,
            launch=2 * number + position,
            position=position,
            started_s=0.5 * number,
            steal=0.0,
            load=0.25,
            cpu=1,
            histograms={"latency": hdr.encode(hdr.Histogram(((5, 2), (1000, 1), (10**6, 1))))},
            series={"throughput": {"t": [0.0, 1.0], "v": [3.0, 4.0], "units": ["s", "1/s"]}},
        )
        for name in ("BM_a/8", "BM_b")
        for number in range(4)
        for position, side in enumerate(Side)
    )
    crash = Failure(benchmark="BM_b", what="it crashed", side=Side.CANDIDATE, round=4, target="new")
    return Record(context=_CONTEXT, facts=Facts.read(_FACTS, where=""), samples=samples,
                  failures=(crash,))  # fmt: skip


_CONTEXT: dict[str, Any] = {
    "date": "2026-11-01T10:10:10+00:00",
    "num_cpus": 2,
    "host_name": "vm",
    "caches": [{"type": "Data", "level": 1, "size": 32768}],
}
_FACTS: dict[str, Any] = {
    "schema": 1,
    "tool": "assay 1.0.0",
    "date": "2026-11-01T10:10:10+00:00",
    "seed": 7,
    "host": {"os": "Debian", "kernel": "6.1.0", "cpu_model": "Test CPU", "cpus": 2, "smt": False},
    "git": {"revision": "1a2b3c", "time_s": 1.79e9, "dirty": False},
    "build": {"compiler": "gcc", "cplusplus": 202002},
    "targets": {"base": "old", "candidate": "new"},
    "builds": {"base": {"revision": "1a", "time_s": 1.7e9, "build_s": 1.5, "program": None}},
    "sides": {"base": {"num_cpus": 2, "assay": {"host": {"cpus": 2}, "clock": {"source": "tsc"}}}},
    "design": "interleaved",
    "unavailable": ["governor: none"],
    "notes": ["a note"],
    "identical": False,
    "interrupted": True,
    "given_up": [],
    "family": 2,
    "echoes": [[0, None], [3, 0.25]],
    "round_s": {"BM_a/8": 0.01},
    "effort": {"BM_b": [{"from_round": 0, "repetitions": 2}]},
    "conditions": [{"name": "undisturbed"}],
    "instrument": "time",
    "later": {"than": ["this version"]},
}


def flipped(data: bytes, chance: random.Random) -> bytes:
    """The bytes with one to three places altered, removed or doubled, or the rest cut off."""
    made = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(max(1, len(made)))
        what = chance.randrange(5)
        if what == 0:
            del made[place:]
        elif what == 1:
            del made[place : place + chance.randint(1, 40)]
        elif what == 2:
            made[place:place] = made[place : place + chance.randint(1, 40)]
        elif made:
            made[place] = chance.randrange(256) if what == 3 else made[place] ^ (1 << place % 8)
        made = made or bytearray(b"\0")
    return bytes(made)


def altered(document: Any, chance: random.Random) -> Any:
    """The document with one to three values or keys replaced by odd ones."""
    document = json.loads(json.dumps(document))
    for _ in range(chance.randint(1, 3)):
        parent, key = chance.choice(list(_places(document)) or [({}, "")])
        what = chance.randrange(6)
        if what == 0 and isinstance(parent, dict):
            del parent[key]
        elif what == 1 and isinstance(parent, dict):
            parent[chance.choice(["", "name", "\n", "assay", key.upper()])] = parent.pop(key)
        else:
            parent[key] = deepcopy(chance.choice(_ODD))
    return document


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a document: the object or list that holds it, and the key or index."""
    for key in node if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from _places(node[key])


def _text(document: Any) -> bytes:
    return json.dumps(document).encode()


def mutated(kind: str, seed: int) -> bytes:
    """The bytes of one mutation; `kind` is "json", "journal" or "parquet"."""
    chance = random.Random(f"{kind} {seed}")
    how = chance.random()  # below 0.6: values altered; above 0.4: bytes flipped
    made = {"json": _json, "journal": _journal, "parquet": _parquet}[kind](chance, how < 0.6)
    return flipped(made, chance) if how > 0.4 else made


def _json(chance: random.Random, is_altered: bool) -> bytes:
    document = json.loads(encode_json(record()))
    return _text(altered(document, chance) if is_altered else document)


def _journal(chance: random.Random, is_altered: bool) -> bytes:
    lines = [json.loads(line) for line in _whole_journal().splitlines()]
    if is_altered:
        lines = altered(lines, chance)
    return b"".join(_text(line) + b"\n" for line in lines)


def _whole_journal() -> bytes:
    if not _JOURNAL:
        import tempfile

        whole = record()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.journal"
            with Journal(path, whole.context, whole.facts) as journal:
                for sample in whole.samples:
                    journal.append(sample)
                for failure in whole.failures:
                    journal.append(failure)
            _JOURNAL.append(path.read_bytes())
    return _JOURNAL[0]


_JOURNAL: list[bytes] = []


def _parquet(chance: random.Random, is_altered: bool) -> bytes:
    """A run file with altered columns or metadata."""
    whole = encode(record(), Header(run=RUN, time_s=1.79e9, revision="1a", committed_s={"": 1.7e9}))
    if not is_altered:
        return whole
    file = pq.ParquetFile(io.BytesIO(whole))
    table, metadata = file.read(), file.metadata.metadata or {}
    if chance.random() < 0.6:
        table = _other_columns(table, chance)
    rest = json.loads(metadata[b"assay_run"])
    if chance.random() < 0.7:
        rest = altered(rest, chance)
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, table.schema, store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({b"assay_run": _text(rest)})
    return sink.getvalue()


def _other_columns(table: pa.Table, chance: random.Random) -> pa.Table:
    place = chance.randrange(table.num_columns)
    name, column = table.column_names[place], table.column(place)
    what = chance.randrange(5)
    if what == 0:
        return table.remove_column(place)
    if what == 1:
        return table.set_column(place, name, pa.array([None] * table.num_rows, column.type))
    if what == 2:
        return table.slice(0, chance.randrange(3))
    if what == 3:
        values = column.to_pylist()
        chance.shuffle(values)
        return table.set_column(place, name, pa.array(values, column.type))
    odd: list[Any] = [chance.choice(["x", "", "\n"]), None]
    if pa.types.is_floating(column.type):
        odd = [float("nan"), float("inf"), -1.0, 1e308, 0.0]
    elif not pa.types.is_string(column.type):
        odd = [-1, 2**31 - 1, 0]
        return table.set_column(
            place, name, pa.array([chance.choice(odd)] * table.num_rows, pa.int32())
        )
    return table.set_column(
        place, name, pa.array([chance.choice(odd) for _ in range(table.num_rows)], column.type)
    )


def _try_json(seed: int, folder: Path) -> None:
    path = folder / "mutated.json"
    path.write_bytes(mutated("json", seed))
    found = reader.read(path)
    encode_json(found)
    use(found, with_page=seed % 4 == 0)
    store = Store.opened_or_made(folder / "of-json")
    run = store.add(found, kind="import", now_s=1.79e9)
    store.load(run)
    store.folder.delete(run)
    _as_compare_py(path)


def _as_compare_py(path: Path) -> None:
    from assay.show.export.gbench_table import gbench_table
    from assay.workflows.common.plan import ComparePlan
    from assay.workflows.compare.gbench_table import GbenchTableOptions, table_of_files

    entries = table_of_files(ComparePlan(str(path), str(path)), GbenchTableOptions())
    gbench_table(entries or [], alpha=0.05, colour=False)


def _store(folder: Path) -> Folder:
    """A store with one good run in it, and nothing else."""
    root = folder / "store"
    if not root.exists():
        Store.opened_or_made(root).add(record(), kind="run", now_s=1.78e9)
    return Folder.opened(root)


def _try_journal(seed: int, folder: Path) -> None:
    store = _store(folder)
    path = store.root / "journals" / f"{seed}.journal"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(mutated("journal", seed))
    before = set(store.runs())
    try:
        told = look(store, 1)
        assert not path.exists() or any(path.name in line for line in told), "it is not named"
        for run in set(store.runs()) - before:
            use(Store(store).load(run), with_page=seed % 4 == 0)
    finally:
        path.unlink(missing_ok=True)
        for run in set(store.runs()) - before:
            store.delete(run)


def _try_parquet(seed: int, folder: Path) -> None:
    store = _store(folder)
    path = store.file_of(RUN)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(mutated("parquet", seed))
    try:
        look(store, 1)
        use(Store(store).load(RUN), with_page=seed % 4 == 0)
    finally:
        path.unlink(missing_ok=True)


def _try_labels(seed: int, folder: Path) -> None:
    store, chance = _store(folder), random.Random(f"label {seed}")
    names = ["good", "LAST", "-rf", "...", "a b", "%2F", "x" * 200, "größe", RUN, "n\nl", ".hidden"]
    path = store.root / "labels" / chance.choice(names)
    path.parent.mkdir(exist_ok=True)
    contents = [b"../../outside", b"\xff\xfe", b"", b"/etc/passwd", f"{RUN}\n".encode()]
    content = flipped(chance.choice(contents), chance)
    if chance.random() < 0.1:
        path.mkdir()
    else:
        path.write_bytes(content)
    try:
        look(store, 1)
        for run in store.labels().values():
            assert store.file_of(run).resolve().is_relative_to(store.root.resolve())
        store.read(store.find(path.name))
    finally:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _try_catalogue(seed: int, folder: Path) -> None:
    from assay.workflows.store import catalogue_of

    store, chance = _store(folder), random.Random(f"catalogue {seed}")
    look(store, 1)
    path = store.root / "catalogue.sqlite"
    path.write_bytes(flipped(path.read_bytes(), chance))
    for suffix in ("-wal", "-journal"):
        (store.root / f"catalogue.sqlite{suffix}").unlink(missing_ok=True)
    try:
        with catalogue_of(store) as catalogue:
            catalogue.runs()
            for name in catalogue.names():
                catalogue.points(name.number)
    finally:
        path.unlink(missing_ok=True)


def _try_answer(seed: int, folder: Path) -> None:
    """Try an answer whose file has the right hash, and the pages that show it."""
    from assay.judge.attribution.findings import findings
    from assay.record.store.answers import Answers, file_name_of
    from assay.show.page.store.why import answer_page, answers_page
    from assay.workflows.pages.survey import survey_of_store

    store, chance = _store(folder), random.Random(f"answer {seed}")
    asked = WhyQuestion("BM_b", store.newest(), store.newest())
    lines = [json.loads(line) for line in kept_answer(asked).splitlines()]
    if is_altered := chance.random() < 0.8:
        lines = altered(lines, chance)
    data = b"".join(_text(line) + b"\n" for line in lines)
    data = data if is_altered and chance.random() < 0.8 else flipped(data, chance)
    path = store.path_with_folder("answers", file_name_of(asked, data))
    path.write_bytes(data)
    try:
        survey = survey_of_store(store.root)
        answers_page(survey, served=True)
        if answer := Answers(store).newest(asked):
            answer_page(answer.head, findings(answer.explained), survey, "", served=True)
    finally:
        path.unlink(missing_ok=True)


KINDS: dict[str, Callable[[int, Path], None]] = {
    "json": _try_json,
    "journal": _try_journal,
    "parquet": _try_parquet,
    "label": _try_labels,
    "catalogue": _try_catalogue,
    "answer": _try_answer,
}
