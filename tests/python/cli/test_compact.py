"""`assay runs compact` as a user sees it; after it no verb says another thing."""

import shutil
from pathlib import Path

import pytest
from records import one_sided, two_sided

from assay.cli import invoke
from assay.record.store.folder import Folder
from assay.record.store.store import Store

NOW_S = 1_790_000_000.0


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.chdir(tmp_path)
    made = Store.opened_or_made(tmp_path / "store")
    for number in range(12):
        record = two_sided() if number % 3 == 2 else one_sided()
        made.add(record, kind="compare" if number % 3 == 2 else "run", now_s=NOW_S + 9000 * number)
    made.folder.label(made.folder.runs()[2], "good")
    return made


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert invoke([*words, "--store", "store"]) == code, capsys.readouterr().err
    return "".join(capsys.readouterr())


def test_it_says_what_it_packed_and_then_that_there_is_nothing(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "runs", "compact") == "packed 12 runs; 12 runs are in 1 pack, 0.1 MiB\n"
    again = said(capsys, "runs", "compact")
    assert again == "nothing to compact; 12 runs are in 1 pack, 0.1 MiB\n"
    said(capsys, "runs", "delete", *store.folder.runs()[1:])
    assert "1 run is in 1 pack" in said(capsys, "runs", "compact")
    assert "is written otherwise" in said(capsys, "runs", "compact", "LAST", code=2)


def test_a_store_without_packs_has_nothing_to_say_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Store.opened_or_made(tmp_path / "store")
    assert said(capsys, "runs", "compact") == "nothing to compact\n"


def test_what_keeps_its_file_is_named(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    run = store.folder.runs()[4]
    store.folder.file_of(run).write_bytes(b"PAR1")
    out = said(capsys, "runs", "compact", code=2)
    assert out.startswith("packed 11 runs; 11 runs are in 1 pack")
    assert f"{run}.parquet: is no Parquet file" in out
    assert "it keeps its file" in out


VERBS = [
    "runs --json runs.json",
    "runs show BASE",
    "runs show good",
    "history --json history.json",
    "history ^A$",
    "compare run:BASE run:CANDIDATE --seed 1",
    "list run:BASE",
    "report run:good -o report.md",
    "runs export good -o export.json",
    "runs label LAST newest",
    "why run:BASE run:CANDIDATE",
    "serve --export site",
]


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_sees_a_difference(
    verb: str, store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, candidate = store.folder.runs()[:2]
    words = verb.replace("BASE", base).replace("CANDIDATE", candidate).split()
    shutil.copytree("store", "unpacked")
    before, files = shown(words, capsys), files_beside(tmp_path)
    shutil.rmtree("store")
    Path("unpacked").rename("store")
    said(capsys, "runs", "compact")
    assert Folder.opened(Path("store")).runs_alone() == []
    assert shown(words, capsys) == before
    assert files_beside(tmp_path) == files


def shown(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    code = invoke([*words, "--store", "store"])
    return code, "".join(capsys.readouterr())


def files_beside(folder: Path) -> dict[str, bytes]:
    """What the verb wrote, and removes it."""
    found = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts[0]
        if path.is_file() and inside not in ("store", "unpacked") and "XDG" not in inside:
            found[str(path)] = path.read_bytes()
            path.unlink()
    return found
