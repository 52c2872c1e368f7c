"""Sessions that are judged while they run: as their journal would be, and not more often."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import Written

from assay.cli import invoke
from assay.live import LiveStage, Look
from assay.record.store.folder import Folder
from assay.workflows.pages import live
from assay.workflows.pages.live import Clocks, SessionFollower, session, sessions

NAMES = ["BM_copy", "BM_hash", "BM_late"]


class Time:
    """Passes while somebody sleeps; each reading of the CPU's clock takes `cost_s`."""

    def __init__(self, cost_s: float = 0.0) -> None:
        self.now, self.cpu, self.cost_s = 100.0, 0.0, cost_s

    def cpu_s(self) -> float:
        self.cpu += self.cost_s
        return self.cpu

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    @property
    def clocks(self) -> Clocks:
        return Clocks(lambda: self.now, self.cpu_s, self.sleep)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Written]:
    with Written(tmp_path / ".assay", NAMES, {"BM_copy": 0.1}) as made:
        yield made


def following(one: Written, time: Time) -> Iterator[Look]:
    return SessionFollower(Folder.opened(one.path.parents[1]), one.name).looks(time.clocks)


def test_a_look_says_what_compare_says_of_the_journal(running: Written, tmp_path: Path) -> None:
    running.round(*NAMES[:2], times=30)
    look = next(following(running, Time()))
    output = tmp_path / "compare.json"
    assert invoke(["compare", str(running.path), "--json", str(output), "-q"]) == 0
    told = json.loads(output.read_bytes())["comparisons"]
    assert [
        (one.benchmark, one.metric, one.change, one.low, str(one.verdict))
        for one in look.comparisons
    ] == [
        (one["benchmark"], one["metric"], one["change"], one["low"], one["verdict"]) for one in told
    ]
    assert (look.stage, look.rounds, look.spent_s) == (LiveStage.MEASURING, 60, 14.5)
    assert "BM_copy" in look.settled
    assert look.done == 14.5 / 80


def test_an_interval_narrows_from_look_to_look(running: Written) -> None:
    """Also over what was measured before anybody followed."""
    running.round(*NAMES[:2], times=40)
    looks = following(running, Time())
    widths = [one.high - one.low for one in next(looks).past["BM_hash"]]
    assert len(widths) >= 4
    assert widths == sorted(widths, reverse=True)
    running.round(*NAMES[:2], times=40)
    assert next(looks).past["BM_hash"][-1].rounds == 80


def test_nothing_new_is_not_judged_again(running: Written) -> None:
    running.round(times=2)
    time, done = Time(), []
    looks = following(running, time)
    done.append(next(looks))
    before = time.now
    running.round()
    done.append(next(looks))
    assert time.now - before >= live.LOOK_S
    running.end()
    assert next(looks).stage is LiveStage.STORING
    assert [one.rounds for one in done] == [6, 9]


def test_dear_looks_are_rare(running: Written) -> None:
    """At most a twentieth of a CPU."""
    running.round(times=2)
    time = Time(cost_s=1.0)
    looks = following(running, time)
    next(looks)
    before, spent = time.now, time.cpu
    running.round()
    next(looks)
    assert time.now - before >= 1.0 / live.SHARE
    assert spent < 20


def test_its_end_is_told_with_the_run(running: Written) -> None:
    running.round(times=20)
    looks = following(running, Time())
    next(looks)
    running.end()
    run = running.stored()
    *_, last = looks
    assert (last.stage, last.run, last.done) == (LiveStage.STORED, run, 1.0)
    assert last.comparisons


def test_one_that_was_killed_is_told(running: Written) -> None:
    running.round()
    looks = following(running, Time())
    next(looks)
    running.kill()
    assert next(looks).stage is LiveStage.KILLED
    assert next(looks, None) is None


def test_one_that_is_stored_nowhere_ends_too(running: Written) -> None:
    looks = following(running, Time())
    next(looks)
    running.end()
    running.path.unlink()
    assert next(looks).stage is LiveStage.ENDED


def test_what_lies_beside_is_no_session(running: Written) -> None:
    for name in ("notes.journal", "20261125-101112-78.journal"):
        (running.path.parent / name).write_bytes(b"{not a journal\n")
    folder = Folder.opened(running.path.parents[1])
    (found,) = sessions(folder)
    assert (found.name, found.is_held, found.kind) == (running.name, True, "compare")
    assert session(folder, "20261125-101112-79") is None
