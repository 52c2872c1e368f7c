"""The parts of ./dev soak, for seconds in place of hours."""

import contextlib
import random
from pathlib import Path

import pytest
from soak import documents, fuzz, killed_verbs, kills, loop, native, readers

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
