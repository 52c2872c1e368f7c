"""Files cut short, with flipped bytes or wrong types: only `InputError` comes out."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.record import reader
from assay.record.formats import table

FILES = (
    *sorted(
        path for path in (DATA / "formats").rglob("*") if path.is_file() and path.suffix != ".md"
    ),
    *sorted((DATA / "pibench").iterdir()),
    *sorted((DATA / "libmicro").iterdir())[:1],
    DATA / "gbench" / "test3_run0.json",
    DATA / "os" / "one.json",
)
SMALL = [path for path in FILES if path.name != "benchmark.json"]
STRANGE: tuple[Any, ...] = (None, True, -1, 1e308, float("nan"), "", "x", [], {}, [[]], {"a": 1})
CUTS, FLIPS = 60, 60
GOOGLE = "Google Benchmark JSON"


def refused(importer: table.Importer, data: bytes, origin: str) -> InputError | None:
    """What a parser says of such a file; None where it still makes something of it."""
    try:
        record = importer.parse(data, origin)
    except InputError as error:
        return error
    assert record.samples or record.failures or importer.name == GOOGLE
    return None


def read_or_refused(data: bytes, path: Path, name: str) -> None:
    """Read by whichever format claims it, and by the one the file was of."""
    for importer in filter(None, (table.importer_for(data), importer_of(name))):
        error = refused(importer, data, str(path))
        assert error is None or (error.where.startswith(str(path.parent)) and error.what)


def importer_of(name: str) -> table.Importer:
    found = table.importer_for(BYTES[name])
    return found or table.Importer(GOOGLE, lambda _: True, reader.parse)


BYTES = {str(path): path.read_bytes() for path in SMALL}


@pytest.mark.parametrize("path", SMALL, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_cut_short(path: Path) -> None:
    data = BYTES[str(path)]
    for number in range(CUTS):
        read_or_refused(data[: len(data) * number // CUTS], path, str(path))


@pytest.mark.parametrize("path", SMALL, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_flipped_bytes(path: Path) -> None:
    chance = random.Random(path.name)
    for _ in range(FLIPS):
        data = bytearray(BYTES[str(path)])
        for _ in range(chance.choice((1, 1, 5))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        read_or_refused(bytes(data), path, str(path))


JSON_FILES = [path for path in SMALL if path.suffix == ".json"]


@pytest.mark.parametrize("path", JSON_FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_values_of_another_type(path: Path) -> None:
    """Each place of the document in turn holds something strange."""
    document = json.loads(BYTES[str(path)])
    chance = random.Random(path.name)
    places = list(_places(document))
    for holder, key in chance.sample(places, min(len(places), 150)):
        kept = holder[key]
        for strange in chance.sample(STRANGE, 4):
            holder[key] = strange
            read_or_refused(json.dumps(document).encode(), path, str(path))
        holder[key] = kept


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    keys = document.keys() if isinstance(document, dict) else range(len(document))
    for key in list(keys):
        yield document, key
        if isinstance(document[key], dict | list):
            yield from _places(document[key])


@given(data=st.binary(max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_bytes(data: bytes) -> None:
    for importer in table.IMPORTERS:
        error = refused(importer, data, "any")
        assert error is None or error.where.startswith("any")


HOSTILE = {
    "entities.xml": b'<!DOCTYPE a [<!ENTITY b "c">]><testsuite>&b;</testsuite>',
    "deep.json": b'{"results": ' + b"[" * 100_000 + b'"command": "mean": ',
    "deep.xml": b"<testsuite>" * 50_000,
    "lone.json": b'{"results": [{"command": "\\ud800", "mean": 1}]}',
    "integer.json": b'{"metrics": {"vus": {"value": %s}}}' % (b"9" * 400),
    "digits.json": b'{"metrics": {"vus": {"value": %s}}}' % (b"9" * 5_000),
    "counts.json": b'{"iters": [%s], "times": [1.0]}' % (b"9" * 400),
    "tiny.json": b'{"results": [{"name": "a", "title": "", "epochs": 1, "batch": 1e9, '
    b'"measurements": [{"elapsed": 1e-305}]}]}',
    "empty.json": b'[{"benchmark": "a", "mode": "avgt", "threads": 1, "jmhVersion": "1.37", '
    b'"primaryMetric": {"score": 1.0, "scoreUnit": "ns/op", "rawData": [[]]}, '
    b'"secondaryMetrics": {}}]',
    "big.txt": b"goos: linux\nBenchmarkA 1 1e308 MB/s\n",
    "cpus.txt": b"Environment:\n\tCPU: %s * x\nBenchmark Options:\n\tKey distribution: x\n"
    % (b"9" * 5_000),
    "spaces.txt": b"Benchmark Options:\n\tKey distribution: x\n" + b" " * 300_000,
    "words.txt": b"Benchmark Options:\n\tKey distribution: x\n" + b"a" * 300_000,
    "mark.out": b"!" + b"a" * 300_000,
    "long.txt": b"goos: linux\nBenchmarkA " + b"9" * 5_000 + b" 1 ns/op\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_made_to_harm(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(HOSTILE[name])
    with pytest.raises(InputError) as failed:
        reader.read(path)
    assert failed.value.where.startswith(str(path))
