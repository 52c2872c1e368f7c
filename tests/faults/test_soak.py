"""The parts of ./dev soak, for seconds in place of hours."""

import contextlib
import random
from pathlib import Path

import pytest
from soak import fuzz, kills, loop

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
    assert kills.killed(tmp_path, verb, random.Random(2)) == []


@pytest.mark.parametrize("name", fuzz.readers())
def test_every_reader_reads_what_mutation_begins_with(name: str) -> None:
    read, seeds = fuzz.readers()[name]
    assert seeds
    for data in seeds:
        with contextlib.suppress(AssayError):  # some need the files that lie beside them
            read(data)
