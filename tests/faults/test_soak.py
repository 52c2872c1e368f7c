"""The parts of ./dev soak, for seconds in place of hours."""

import contextlib
import random
from pathlib import Path

import pytest
from remotes import SFTP_SERVER, SSHD
from soak import documents, fuzz, killed_verbs, kills, loop, native, readers, shared_history
from soak.history_checks import Holding, moved_labels, wrong_labels, wrong_runs, wrong_with_end
from soak.history_seen import Fewest, Seen
from soak.machine import Event, Orders
from soak.remote_kinds import KINDS

from assay.cli.app import VERBS
from assay.cli.runs import Action
from assay.errors import AssayError


def test_the_loop_holds_for_a_moment() -> None:
    assert loop.soak(0) == []


def test_what_grows_is_told() -> None:
    first = loop.Held(memory_bytes=100_000_000, descriptors=5, children=1, files=3)
    last = loop.Held(memory_bytes=190_000_000, descriptors=6, children=1, files=9)
    assert list(loop.grown(first, first)) == []
    assert list(loop.grown(first, last)) == [
        "memory grew by 90.0 MB",
        "descriptors: 5 at first, 6 at the end",
        "files: 3 at first, 9 at the end",
    ]


@pytest.mark.parametrize("verb", ["run", "runs delete"])
def test_a_kill_loses_nothing(verb: str, tmp_path: Path) -> None:
    kills.prepared(tmp_path)
    known = kills.whole(tmp_path, killed_verbs.VERBS[verb])
    assert kills.killed(tmp_path, killed_verbs.VERBS[verb], random.Random(2), known) == []


def test_what_a_kill_lost_is_told(tmp_path: Path) -> None:
    kills.prepared(tmp_path)
    never_killed = kills.Whole(took_s=100.0, trials=-100)  # so a hundred launches are missing
    found = kills.killed(tmp_path, killed_verbs.VERBS["run"], random.Random(2), never_killed)
    assert len(found) == 1
    assert "12 rows of 13 launches are kept" in found[0]


def test_every_verb_that_writes_is_killed() -> None:
    """But those that are others: `demo` is `compare`, a suite is `run` of its programs, and `init`
    writes one file, as `report` does."""
    words = {verb.words[0] for verb in killed_verbs.VERBS.values()}
    assert words == VERBS.keys() - {"doctor", "list", "completion", "demo", "suite", "init"}
    actions = {verb.words[1] for verb in killed_verbs.VERBS.values() if verb.words[0] == "runs"}
    assert actions == set(Action) - {Action.LIST, Action.SHOW}


@pytest.mark.parametrize("name", readers.targets())
def test_every_reader_reads_what_mutation_begins_with(name: str) -> None:
    target = readers.targets()[name]
    assert target.seeds
    for data in target.seeds:
        with contextlib.suppress(AssayError):  # some need the files that lie beside them
            target.read(data)


@pytest.mark.parametrize("name", ["json", "journal", "parquet"])
def test_what_is_mutated_stays_a_document(name: str) -> None:
    """Else the reader's first look refuses nearly all of it, and nothing behind is ever tried."""
    target = readers.targets()[name]
    assert target.change is not None
    changed = [target.change(target.seeds[0], random.Random(seed)) for seed in range(40)]
    assert len(set(changed)) > 20
    read = sum(_is_read(target, data) for data in changed)
    assert 0 < read < len(changed)


def _is_read(target: readers.Target, data: bytes) -> bool:
    try:
        target.read(data)
    except AssayError:
        return False
    return True


def test_bytes_of_nothing_are_mutated_too() -> None:
    assert documents.any_bytes(b"", random.Random(1))
    assert documents.json_document(b"{", random.Random(1)) == b"{"


def test_how_often_a_reader_was_tried_is_told() -> None:
    log = "#4 INITED cov: 92 ft: 1\n#9 NEW cov: 106 ft: 2\nDone 31210 runs in 13 second(s)\n"
    assert native.executions(log) == "31210 files in 13 s, 92 -> 106 places reached"
    assert "does not say" in native.executions("")


def test_minutes_are_of_the_processor_and_without_the_start() -> None:
    """A process that had half of the processor is followed by another."""
    log = f"{fuzz._STARTED.format(2.5)}\n#4 INITED cov: 92\n#9 NEW cov: 106\nDone 30 runs in 9 s"
    one = fuzz.read_log(log, 32.5, 0)
    assert one == fuzz.Tried(30, 30.0, (92, 106))
    asked: list[int] = []

    def process(wall_s: int) -> fuzz.Tried:
        asked.append(wall_s)
        return one

    tried = fuzz.of_processes(process, 60)
    assert asked == [60, 30]
    assert fuzz.in_words(tried) == "holds, 60 files in 1.0 min, 92 -> 106 places reached"


@pytest.mark.parametrize(("log", "code"), [("Done 9 runs in 1 s", 0), ("cov: 1", 0), ("", 77)])
def test_a_process_that_does_not_say_what_it_tried_is_a_finding(log: str, code: int) -> None:
    tried = fuzz.of_processes(lambda _: fuzz.read_log(log, 1.0, code), 60)
    assert tried.error
    assert tried.files == 0


NEEDS_SSHD = pytest.mark.skipif(
    not Path(SSHD).exists() or not Path(SFTP_SERVER).exists(), reason="no OpenSSH server here"
)
FEW = shared_history.Plan(
    seconds=0.0,
    fewest=Fewest(9, killed_pushes=2, killed_pulls=1, cuts=1, at_once=2, whole=1),
    cut_every_s=3.0,
    most_cuts=2,
    orders=Orders(pause_s=0.5, cache_s=4.0, killed_share=0.5),
)


@pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=NEEDS_SSHD if k.endswith("ssh") else ()) for k in KINDS]
)
def test_three_machines_that_are_killed_share_one_history(kind: str) -> None:
    """Lasts until enough has happened, however long that takes."""
    assert shared_history.shared(kind, FEW, seed=7) == []


ALL = {"r1": "x", "r2": "y"}  # the digests of two runs
WHOLE = Holding(ALL, ["m1", "m2"], ["r1", "r2"], {"best": "r1"})


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (WHOLE, None),
        (WHOLE._replace(digests={"r1": "x"}), "1 of 2 runs that were stored are not on a: r2"),
        (WHOLE._replace(digests={**ALL, "r3": "z"}), "1 runs are on one of a and reader only: r3"),
        (WHOLE._replace(digests={**ALL, "r2": "z"}), "1 runs have other bytes on a than at first"),
        (WHOLE._replace(marks=["m1", "m1"]), "a has content m1 2 times"),
        (WHOLE._replace(listed=["r1", "r2", "r2"]), "`assay runs` on a lists run r2 2 times"),
        (WHOLE._replace(unreadable=["r2: is cut"]), "a cannot read r2: is cut"),
        (WHOLE._replace(listed=["r1"]), "`assay runs` on a lists 1 of 2 runs"),
    ],
)
def test_runs_that_are_lost_or_there_twice_are_told(held: Holding, told: str | None) -> None:
    lines = list(wrong_runs({"a": held, "reader": WHOLE}, ALL, "reader"))
    assert any(told in line for line in lines) if told else lines == []


def test_labels_that_met_and_are_not_told_are_told() -> None:
    other = WHOLE._replace(labels={"best": "r2"})
    said = "assay: x: the label best means run r1 there and r2 here; both stay as they are"
    for text, is_wrong in ((said, False), ("", True)):
        pulled = {"a": Event("pull", "a", code=2, said=text), "reader": Event("pull", "reader")}
        lines = list(wrong_labels({"a": other, "reader": WHOLE}, {"best"}, pulled, "reader"))
        assert bool(lines) == is_wrong
    assert list(wrong_labels({"reader": WHOLE}, {"gone"}, {"reader": pulled["reader"]}, "reader"))


def test_a_label_of_the_remote_that_moved_is_told() -> None:
    said = "assay: x: the label best means run {} there and r9 here; both stay as they are"
    first, other = (Event("pull", "a", code=2, said=said.format(run)) for run in ("r1", "r2"))
    assert list(moved_labels([first, first])) == []
    assert list(moved_labels([first, other])) == [
        "the label best of the remote meant 2 runs, one after the other"
    ]


def test_a_push_that_failed_by_itself_is_told() -> None:
    cache = Event("cache", "a", 1.0, 2.0)
    failed = Event("push", "a", 0.0, 3.0, code=2, said="error: no")
    assert list(wrong_with_end(failed)) == ["push on a ended with 2: error: no"]
    assert list(wrong_with_end(failed, [cache])) == []
    assert list(wrong_with_end(Event("push", "a", 2.5, 3.0, code=2, said="error: no"), [cache]))
    assert list(wrong_with_end(Event("push", "a", 0.0, 3.0, code=1, said="Traceback"), [cache]))
    assert list(wrong_with_end(Event("push", "a", 0.0, 3.0, code=-9))) == []


def test_what_happened_too_seldom_is_told() -> None:
    pushes = [Event("push", name, at, at + 2.0) for at, name in enumerate("abc")]
    seen = Seen("abc", pushes, cuts=3)
    assert seen.at_once == 3
    said = " ".join(seen.vacuous(Fewest(at_once=3, cuts=3, whole=0)))
    assert "killed_pushes: 0 of at least 5" in said
    assert "at_once" not in said
    assert "cuts" not in said
