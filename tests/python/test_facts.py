"""Facts are typed where they enter, and written as they were read."""

import io
import json
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest
from conftest import gbench_json, row

from assay.errors import InputError
from assay.facts import Facts, GitFacts, Host
from assay.model import Record
from assay.record.journal import parse_journal
from assay.record.reader import parse, read
from assay.record.store.run_file import Header, decode, encode
from assay.record.store.store import Store
from assay.record.writer import write

# One value of another type for each fact that the program asks for.
WRONG: dict[str, object] = {
    "schema": "one",
    "tool": 3,
    "date": {},
    "seed": "x",
    "host": "mybox",
    "git": [1],
    "suite": 1.5,
    "targets": {"base": 3},
    "builds": {"base": {"revision": 3, "time_s": 1.0}},
    "sides": {"base": {"assay": {"host": "mybox"}}},
    "design": "guessed",
    "conditions": [{"name": "strace", "shown": {"events": -1}}],
    "instrument": 7,
    "valgrind": 3.19,
    "linking": 1,
    "libmicro": "all of it",
    "unavailable": "counters",
    "notes": [3],
    "identical": "no",
    "interrupted": "no",
    "failures": [{"benchmark": 3, "what": "it crashed"}],
    "given_up": "BM_a",
    "family": -1,
    "planned": -1,
    "echoes": [[0, 7.0]],
    "round_s": {"BM_a": "long"},
    "code": {"BM_a": {"same": "yes", "why": "same machine code"}},
    "placements": 0,
}


def test_a_wrong_value_is_tried_for_every_field() -> None:
    assert WRONG.keys() == set(Facts.__struct_encode_fields__) - {""}


@pytest.mark.parametrize("key", WRONG)
def test_a_fact_of_another_type_is_refused_by_name_wherever_it_comes_from(key: str) -> None:
    odd = {key: WRONG[key]}
    head = json.dumps({"assay_journal": 1, "context": {}, "facts": odd}).encode() + b"\n"
    doors = {
        "file": lambda: parse(gbench_json([row("a")], assay=odd).encode(), "it"),
        "executable": lambda: parse(gbench_json([row("a", k=1)], assay=odd).encode(), "its JSON"),
        "journal": lambda: parse_journal(head, "it"),
        "store": lambda: decode(_stored(odd), "it"),
        "program": lambda: Record(context={}, facts=odd, samples=()),  # type: ignore[arg-type]
    }
    if key == "failures":  # those of other places are not among the facts
        doors = {"file": doors["file"], "executable": doors["executable"]}
    for door in doors.values():
        with pytest.raises(InputError, match=key):
            door()


def _stored(facts: dict[str, object]) -> bytes:
    """A run whose metadata hold these facts."""
    whole = encode(Record(context={}, facts=Facts(), samples=()), Header(run="r", time_s=0.0))
    file = pq.ParquetFile(io.BytesIO(whole))
    rest = json.loads(file.metadata.metadata[b"assay_run"])
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, file.schema_arrow, store_schema=False) as writer:
        writer.write_table(file.read())
        writer.add_key_value_metadata({b"assay_run": json.dumps({**rest, "facts": facts})})
    return sink.getvalue()


def test_what_nobody_knows_is_kept_unaltered_in_files_and_in_a_store(tmp_path: Path) -> None:
    written = {
        "schema": 1,
        "seed": None,
        "host": {"cpus": 2, "colour": "green"},
        "later": [{"than": "this"}, None],
    }
    facts = Facts.read(written, where="")
    record = Record(context={}, facts=facts, samples=())
    write(record, tmp_path / "r.json")
    assert read(tmp_path / "r.json").facts.written == written
    store = Store.opened_or_made(tmp_path / "store")
    run = store.add(record, kind="run", now_s=1.8e9)
    assert store.load(run).facts.written == written
    assert (facts.seed, facts.host.cpus) == (None, 2)


def test_facts_made_of_fields_are_written_as_these() -> None:
    facts = Facts(seed=7, host=Host(cpus=2), git=GitFacts(revision="1a", dirty=True))
    assert facts.written == {
        "seed": 7,
        "host": {"cpus": 2},
        "git": {"revision": "1a", "dirty": True},
    }
    assert msgspec.json.encode(facts.written)
    assert Facts().written == {}


def test_updated_changes_fields_and_nothing_else() -> None:
    facts = Facts.read({"seed": 7, "later": 3}, where="").updated(interrupted=True, seed=8)
    assert (facts.interrupted, facts.seed) == (True, 8)
    assert facts.written == {"seed": 8, "later": 3, "interrupted": True}
    with pytest.raises(TypeError, match="intrrupted"):
        facts.updated(intrrupted=True)
