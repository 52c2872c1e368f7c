"""What a version promised is kept: what others build on, and the files that they wrote with it.

The promises are in tests/contract/promised, a folder for each version, and in words in
docs/stability.md. A sentence that fails here says what was promised and what is there now.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import kept_promises as kept
import pytest
from conftest import ROOT
from promises import stored

from assay import __version__
from assay.record.reader import read

VERSIONS = sorted(path.name for path in kept.PROMISED.iterdir())
RULE = "adding is fine, changing or removing is not; see docs/stability.md"


def expected(version: str) -> dict[str, Any]:
    return json.loads((kept.PROMISED / version / "stored.json").read_text())  # type: ignore[no-any-return]


@pytest.mark.parametrize("subject", kept.SUBJECTS)
@pytest.mark.parametrize("version", VERSIONS)
def test_what_was_promised_is_there(version: str, subject: str) -> None:
    now = dict(kept.SUBJECTS[subject]())
    then = kept.promised(version, subject)
    assert len(then) > 5
    assert list(kept.broken(then, now, version)) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_records_of_then_are_read(version: str) -> None:
    said = expected(version)["records"]
    folder = kept.PROMISED / version / "records"
    assert {path.name for path in folder.iterdir()} == said.keys()
    for name, told in said.items():
        assert json.loads(json.dumps(stored.told(read(folder / name)))) == told, name


@pytest.mark.parametrize("version", VERSIONS)
def test_stores_of_then_are_read(version: str) -> None:
    said = expected(version)["stores"]
    folder = kept.PROMISED / version / "stores"
    assert {path.name for path in folder.iterdir()} == said.keys() == {"compacted", "loose"}
    for name, told in said.items():
        assert json.loads(json.dumps(stored.runs(folder / name))) == told, name
    packs = [*(folder / "loose").rglob("*.parquet")], [*(folder / "compacted").rglob("*.parquet")]
    assert [len(found) for found in packs] == [3, 0]


# ---- the judge of promises -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        ({"--a": "a value"}, {"--a": "a value", "--b": "no value"}, None),
        ({"--a": "a value"}, {"--b": "a value"}, "removed: --a (a value)"),
        ({"--a": "a value"}, {"--a": "no value"}, "changed: --a: a value; now: no value"),
        ({}, {"--b": "required, a value"}, "added, and required: --b (required, a value)"),
        ({"k": "null | number"}, {"k": "number"}, None),
        ({"k": "number"}, {"k": "null | number"}, "changed: k: number; now: null | number"),
        ({"k": "null"}, {"k": "number"}, None),
        ({"p": "required, a value"}, {"p": "may be left out, a value"}, None),
        ({"p": "may be left out, a value"}, {"p": "required, a value"}, "changed: p: may be left"),
    ],
)
def test_added_is_told_from_changed_and_removed(
    then: dict[str, str], now: dict[str, str], said: str | None
) -> None:
    found = list(kept.broken(then, now, "1.0"))
    assert len(found) == (said is not None)
    for sentence in found:
        assert sentence.startswith(str(said))
        assert sentence.endswith(f"this was promised in 1.0: {RULE}")


def test_every_minor_version_of_this_one_has_its_promises() -> None:
    major, minor, _ = __version__.split(".")
    assert {f"{major}.{number}" for number in range(int(minor) + 1)} <= set(VERSIONS)


def test_what_was_promised_is_never_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "is_unreleased", lambda _: False)
    before = {path: path.read_bytes() for path in kept.PROMISED.rglob("*.txt")}
    assert kept.main(["1.0"]) == kept.main(["1.0", "--anew"]) == 2
    assert {path: path.read_bytes() for path in kept.PROMISED.rglob("*.txt")} == before


def test_it_takes_a_version() -> None:
    script = ROOT / "tests" / "contract" / "kept_promises.py"
    done = subprocess.run([sys.executable, script, "1.0.0"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "kept_promises.py: say a version, such as 1.1\n")


def test_the_page_names_every_subject() -> None:
    page = (ROOT / kept.PAGE).read_text()
    named = set(re.findall(r"`tests/contract/promised/1\.0/([\w-]+)\.txt`", page))
    assert named == kept.SUBJECTS.keys()


def test_the_page_is_where_sentences_say() -> None:
    assert Path(kept.ROOT / kept.PAGE).exists()
