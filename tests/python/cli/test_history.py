"""A store of ninety runs told as a history: what changed, where, and what is known of it."""

import json
from pathlib import Path

import pytest
from records import HOSTILE
from stores import Step, filled, revision

from assay.cli import invoke
from assay.history import Confirmation
from assay.model import Record, Sample
from assay.record.store.confirmations import Confirmations
from assay.record.store.store import Store

STEPS = {"BM_copy/64": Step(1.10, 60), "BM_copy/4096": Step(1.08, 60), "BM_find": Step()}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "assay.toml").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert invoke(["history", *arguments]) == code, capsys.readouterr().err
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def test_changes_of_one_cause_are_one_alert(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(project / ".assay", STEPS)
    out = said(capsys, "--json", "h.json")
    assert out.startswith("No confirmed change; 1 candidate to be measured again.\n")
    assert "1. 2 benchmarks worse after" in out
    assert "assay bisect" in out
    told = json.loads(Path("h.json").read_text())
    (alert,) = told["alerts"]
    assert alert["state"] == "candidate"
    changes = {one["benchmark"]: one for one in alert["changes"]}
    assert changes.keys() == {"BM_copy/64", "BM_copy/4096"}
    assert changes["BM_copy/64"]["low"] < 0.10 < changes["BM_copy/64"]["high"]
    assert alert["before"] <= revision(59) < revision(60) <= alert["after"]
    assert [len(one["points"]) for one in told["series"]] == [90, 90, 90]


def test_only_what_is_asked_for(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filled(project / ".assay", STEPS)
    out = said(capsys, "find")
    assert out.startswith("No confirmed change.\n")
    assert "BM_copy" not in out
    assert "no run of this" in said(capsys, "nothing_of_this_name", code=2)
    assert "no run of this" in said(capsys, "--metric", "cpu_time", code=2)
    assert "no run of this" in said(capsys, "--host", "Other CPU", code=2)


def test_hosts_of_two_classes_are_two_series(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(project / ".assay", {"BM_a": Step()}, runs=30)
    filled(project / ".assay", {"BM_a": Step()}, runs=30, host={"cpu_model": "Other"})
    out = said(capsys)
    assert "Test CPU, 4 CPUs, Linux 6, virtual" in out
    assert "Other" in out
    assert out.startswith("No confirmed change.\n")


@pytest.mark.parametrize(
    ("state", "line"),
    [
        ("confirmed", "1 change confirmed."),
        ("not reproduced", "No confirmed change."),
        ("undecided", "No confirmed change."),
    ],
)
def test_what_was_measured_again_is_told(
    project: Path, capsys: pytest.CaptureFixture[str], state: str, line: str
) -> None:
    store = filled(project / ".assay", {"BM_a": Step(1.1, 60)})
    said(capsys, "--json", "h.json")
    (alert,) = json.loads(Path("h.json").read_text())["alerts"]
    (change,) = alert["changes"]
    Confirmations(store.folder).keep(
        Confirmation(
            benchmark="BM_a",
            metric="real_time",
            host=change["host"],
            before=alert["before"],
            after=alert["after"],
            state=state,
            change=0.093,
            low=0.09,
            high=0.11,
            rounds=40,
        )
    )
    out = said(capsys)
    assert out.startswith(line)
    assert "in 40 paired rounds" in out
    assert "--confirm" not in out


def test_the_value_of_a_revision_measured_later_falls_into_place(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Runs made backwards, the newest revision first, give the history of the revisions."""
    made = filled(project / "made", {"BM_a": Step(1.1, 60)})
    store = Store.opened_or_made(project / ".assay")
    for number, run in enumerate(reversed(made.folder.runs())):
        store.add(made.load(run), kind="run", now_s=2e9 + number)
    assert "1 benchmark worse" in said(capsys)


def test_runs_without_a_revision_have_a_history_too(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(project / ".assay", {"BM_a": Step(1.1, 60)}, git={})
    out = said(capsys, "--json", "h.json")
    (series,) = json.loads(Path("h.json").read_text())["series"]
    (change,) = series["changes"]
    before, after = series["points"][change["first"] - 1], series["points"][change["last"]]
    assert f"between run {before['run']} (" in out
    assert f"and run {after['run']} (" in out
    assert f"from run {series['points'][change['split']]['run']} (" in out


def test_with_too_few_runs_it_says_how_many_there_are(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two runs had an interval from 1.67e-11 ns to 59759562594 s, and "none" for changes."""
    filled(project / ".assay", {"BM_a": Step()}, runs=2)
    out = said(capsys, "--json", "h.json")
    assert "2 of 24 runs" in out
    (series,) = json.loads(Path("h.json").read_text())["series"]
    now = series["now"]
    assert now["level"] / 2 < now["low"] < now["level"] < now["high"] < 2 * now["level"]


def test_one_run_has_a_level_and_no_interval(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(project / ".assay", {"BM_a": Step()}, runs=1)
    assert "1 of 24 runs" in said(capsys, "--json", "h.json")
    (series,) = json.loads(Path("h.json").read_text())["series"]
    assert (series["now"]["low"], series["now"]["high"]) == (None, None)


def test_now_is_the_level_of_the_newest_runs_of_a_drift(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The mean of the whole segment was told: 261 ns where the last runs have 275 to 278."""
    store = Store.opened_or_made(project / ".assay")
    for number in range(60):
        values = {"real_time": (100.0 * 1.005**number,)}
        sample = Sample(benchmark="BM_a", values=values)
        record = Record(context={}, facts={}, samples=(sample,))
        store.add(record, kind="run", now_s=1e9 + 86400.0 * number)
    said(capsys, "--json", "h.json")
    (series,) = json.loads(Path("h.json").read_text())["series"]
    assert series["now"]["low"] <= 100.0 * 1.005**59 <= series["now"]["high"]
    assert series["now"]["low"] > 100.0 * 1.005**50


def test_names_from_hostile_benchmarks_are_text(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store.opened_or_made(project / ".assay")
    samples = tuple(Sample(benchmark=name, values={"real_time": (1.0,)}) for name in HOSTILE)
    store.add(Record(context={}, facts={}, samples=samples), kind="run", now_s=2e9)
    out = said(capsys)
    assert "\x1b" not in out
    assert "script" in out
    assert "do not fit into one picture" in said(capsys, "-o", "x.svg", code=2)


def test_a_picture_of_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filled(project / ".assay", STEPS)
    said(capsys, "copy", "-o", "h.svg")
    svg = Path("h.svg").read_text()
    assert svg.startswith("<svg")
    assert "BM_copy/64" in svg
    assert "BM_find" not in svg
    assert "end it in .html, .svg or .png" in said(capsys, "copy", "-o", "h.gif", code=2)


def test_a_page_of_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filled(project / ".assay", STEPS)
    said(capsys, "-o", "h.html")
    html = Path("h.html").read_text()
    assert html.startswith("<!doctype html>")
    assert "<svg" in html
    assert "2 benchmarks worse after" in html
    assert html.count("BM_find") >= 2
    assert ' style="' not in html


def test_a_damaged_run_is_named_and_the_others_are_told(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = filled(project / ".assay", STEPS)
    store.folder.file_of(store.folder.runs()[3]).write_bytes(b"PAR1")
    out = said(capsys, "find")
    assert "cannot be read" in out
    assert " 89 " in out


def test_without_a_store_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "make an assay.toml" in said(capsys, code=2)
    (tmp_path / "assay.toml").touch()
    assert "is no store of runs" in said(capsys, code=2)
