"""A small file that is a terabyte is refused or left out with a sentence, before it is read."""

import hashlib
import os
from pathlib import Path

import pytest
from records import one_sided, two_sided
from repositories import new_repository

from assay.cli import invoke
from assay.errors import InputError
from assay.judge.bisection.settings import SearchSettings
from assay.measure.profile.identity.kept import _read as kept_footprint
from assay.record import floor_cache
from assay.record.store.store import Store
from assay.revisions.cache import BuildCache
from assay.revisions.repository import Repository
from assay.show.page.vega import runtime
from assay.workflows.bisect.steps import Steps

NOW_S = 1_790_000_000.0
NONE = "20260801-131320.250000-a1b2"
IMPORTED = b'{"context": {}, "benchmarks": [{"name": "A", "real_time": 1, "cpu_time": 1}]}'


def _huge(path: Path) -> Path:
    """It takes no room on the disk: nothing was written into it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.truncate(path, 2**40)
    return path


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assay.toml").write_text(
        '[build]\ncommands = ["true"]\n[suites.main]\nrun = "cmd:true"\n'
    )
    made = Store.opened_or_made(tmp_path / ".assay")
    for record in (one_sided(), two_sided()):
        made.add(record, kind="run", now_s=NOW_S)
    return made.folder.root


@pytest.mark.parametrize(
    "name",
    [
        f"runs/2026-09/{NONE}.parquet",
        "labels/odd",
        "journals/odd.journal",
        f"confirmations/{'0' * 32}.json",
        f"triage/{'0' * 32}.json",
        f"imports/{hashlib.sha256(IMPORTED).hexdigest()}",
        "catalogue.sqlite",
        "histories.sqlite",
    ],
)
def test_one_in_a_store_stops_nothing(store: Path, name: str) -> None:
    _huge(store / name)
    Path("results.json").write_bytes(IMPORTED)
    for words in (
        ["runs"],
        ["history"],
        ["runs", "import", "results.json"],
        ["serve", "--export", "site"],
    ):
        assert invoke(words) == 0, words


@pytest.mark.parametrize("name", [".assay/store.json", "assay.toml", "results.json"])
def test_one_that_is_needed_is_named(
    store: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _huge(store.parent / name)
    verb = ["compare", "results.json", "run:LAST"] if path.suffix == ".json" else ["runs"]
    assert invoke(verb) == 2
    assert f"{Path(name).name}: is larger than" in capsys.readouterr().err


def test_one_that_is_kept_for_later_is_made_anew(store: Path) -> None:
    cache = store.parent / "cache" / "assay"
    _huge(cache / "floors" / "a.json")
    assert floor_cache.load_floor("a") is None
    assert kept_footprint(_huge(cache / "footprints" / "a.json")) is None
    whole = runtime()
    (kept,) = cache.glob("vega-*.json")
    _huge(kept)
    assert runtime() == whole
    place = BuildCache(cache / "revisions").place("a")
    _huge(place.facts)
    BuildCache(cache / "revisions").remove_until_small(0)
    assert not place.facts.exists()


def test_steps_of_a_search_that_are_too_many_are_put_aside(store: Path) -> None:
    told = list[str]()
    Steps(_huge(store / "bisects" / "a.jsonl"), SearchSettings(), (), told.append)
    assert "is larger than" in " ".join(told)
    assert [one.name for one in (store / "bisects").iterdir() if "damaged" in one.name]


def test_a_file_of_a_revision_is_not_read_beyond_its_size(tmp_path: Path) -> None:
    there = new_repository(tmp_path / "r")
    there.write("assay.toml", "#" * 2_000)
    there.commit("one")
    made = Repository.open(tmp_path / "r")
    assert made.text_of("HEAD", "assay.toml", 2_000) == "#" * 2_000
    assert made.text_of("HEAD", "absent", 2_000) is None
    with pytest.raises(InputError, match="is larger than 1,999 bytes"):
        made.text_of("HEAD", "assay.toml", 1_999)
