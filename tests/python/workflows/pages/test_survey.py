"""What pages know of a store: the same as `assay history`, and judged only once."""

import json
from pathlib import Path

import pytest
from stores import START_S, Step, filled

from assay.history import Confirmation
from assay.record.store.confirmations import Confirmations
from assay.record.store.folder import Folder
from assay.survey import Survey, TriageState
from assay.workflows.history.history import document, history
from assay.workflows.history.trends import TrendQuery
from assay.workflows.pages import survey as module
from assay.workflows.pages.survey import survey_of_store, with_current_triages
from assay.workflows.pages.triage import TriageNote, keep_triage_note

BENCHMARKS = {"BM_copy/8": Step(1.2, 45), "BM_copy/64": Step(1.2, 45), "BM_same": Step()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    filled(tmp_path / ".assay", BENCHMARKS, runs=90)
    return tmp_path / ".assay"


def _judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the series that are judged from now on."""
    names: list[str] = []
    made = module.trend_of

    def counting(series, host, points):  # type: ignore[no-untyped-def]
        names.append(series.benchmark)
        return made(series, host, points)

    monkeypatch.setattr(module, "trend_of", counting)
    return names


def _told(survey: Survey) -> list[object]:
    return sorted(
        (one.watched.key.benchmark, one.before.revision, one.after.revision, one.change.ratio - 1)
        for one in survey.found
    )


def test_it_says_what_history_says(root: Path) -> None:
    told = json.loads(document(history(root, TrendQuery())))
    survey = survey_of_store(root)
    found = [
        (change["benchmark"], alert["before"], alert["after"], change["change"])
        for alert in told["alerts"]
        for change in alert["changes"]
    ]
    assert len(found) == 2
    assert _told(survey) == sorted(found)
    assert {one.alert for one in survey.found} == {1}, "one commit explains both"
    levels = {one["benchmark"]: one["now"]["level"] for one in told["series"]}
    assert {one.key.benchmark: one.kept.history.now.level for one in survey.watched} == levels


def test_nothing_is_judged_twice(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = _judged(monkeypatch)
    first = survey_of_store(root)
    assert sorted(judged) == sorted(BENCHMARKS)
    judged.clear()
    assert survey_of_store(root) == first
    assert judged == []


def test_a_new_run_touches_its_own_series_only(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    survey_of_store(root)
    judged = _judged(monkeypatch)
    filled(root, {"BM_same": Step()}, runs=1)
    survey = survey_of_store(root)
    assert judged == ["BM_same"]
    assert {one.kept.history.runs for one in survey.watched} == {90, 91}


def test_runs_that_are_deleted_are_forgotten(root: Path) -> None:
    survey_of_store(root)
    folder = Folder.opened(root)
    for run in folder.runs()[40:]:
        folder.delete(run)
    assert survey_of_store(root).found == ()
    for run in folder.runs():
        folder.delete(run)
    assert survey_of_store(root).watched == ()


@pytest.mark.parametrize("content", [None, b"", b"garbage" * 1000])
def test_what_is_kept_may_be_damaged(root: Path, content: bytes | None) -> None:
    first = survey_of_store(root)
    place = root / "histories.sqlite"
    if content is None:
        place.unlink()
    else:
        place.write_bytes(content)
    assert survey_of_store(root) == first


def test_a_part_of_it_may_be_damaged(root: Path) -> None:
    import sqlite3

    first = survey_of_store(root)
    with sqlite3.connect(root / "histories.sqlite") as base:
        base.execute("UPDATE histories SET kept = '{\"history\": 1}'")
    assert survey_of_store(root) == first


def test_a_confirmation_is_told_at_once(root: Path) -> None:
    one = next(
        one for one in survey_of_store(root).found if one.watched.key.benchmark == "BM_copy/8"
    )
    Confirmations(Folder.opened(root)).keep(
        Confirmation(
            benchmark="BM_copy/8",
            metric="real_time",
            host=one.watched.key.host,
            before=one.before.revision,
            after=one.after.revision,
            state="confirmed",
            change=0.19,
        )
    )
    states = {one.watched.key.benchmark: str(one.state) for one in survey_of_store(root).found}
    assert states == {"BM_copy/8": "confirmed", "BM_copy/64": "candidate"}


def test_what_is_said_of_a_change_holds_when_its_ends_move(root: Path) -> None:
    survey = survey_of_store(root)
    every = frozenset(one.key for one in survey.found)
    keep_triage_note(root, survey, TriageNote(every, TriageState.FIXED, "deadbeef", START_S))
    filled(root, {name: Step(1.2, 0) for name in BENCHMARKS}, runs=1)  # at the first place
    later = survey_of_store(root)
    assert [one.triage.note for one in later.found if one.triage] == ["deadbeef", "deadbeef"]
    keep_triage_note(
        root, later, TriageNote(frozenset(one.key for one in later.found), None, "", START_S)
    )
    assert all(one.triage is None for one in with_current_triages(later, root).found)
    assert list((root / "triage").iterdir()) == []
