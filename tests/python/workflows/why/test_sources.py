"""Both sides' source: which files belong together, and what is said of those that are gone."""

import os
from pathlib import Path

from explanations import exact_work, own_change

from assay.work import ExactWork, Node, Place, Profile, Work
from assay.workflows.why.sources import sources

NODE = Node(("append",), own=True)
TEXT = "".join(f"line {number}\n" for number in range(1, 40))


def work(*sides: dict[tuple[str, int], int]) -> ExactWork:
    made = [
        Work(10, {(NODE, Place(file, line)): cost for (file, line), cost in one.items()}, {})
        for one in sides
    ]
    both = Profile(made[0], made[0]), Profile(made[1], made[1])
    found = exact_work(own_change("append", 100), base=1000)
    return ExactWork(found.loop, found.setup, found.told, sides=both)


def written(path: Path, text: str = TEXT) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    os.utime(path, (1, 1))  # older than what is built from it
    return str(path)


def test_the_same_file_of_two_folders_is_one(tmp_path: Path) -> None:
    base = written(tmp_path / "old" / "wal.cpp")
    candidate = written(tmp_path / "new" / "wal.cpp", "// new\n" + TEXT)
    binaries = written(tmp_path / "bench"), written(tmp_path / "other")
    (found,) = sources(work({(base, 20): 50}, {(candidate, 21): 150}), binaries)
    changed = [line for line in found.parts[0] if line.costs != (0, 0)]
    assert [(one.base, one.candidate, one.costs) for one in changed] == [(20, 21, (50, 150))]
    assert (found.file, found.note) == (candidate, "")
    assert len(found.parts[0]) == 7


def test_headers_of_the_system_are_left_out(tmp_path: Path) -> None:
    binaries = written(tmp_path / "bench"), written(tmp_path / "other")
    header = "/usr/include/c++/12/bits/stl_vector.h"
    assert sources(work({(header, 20): 50}, {(header, 20): 150}), binaries) == ()


def test_a_source_that_is_gone_is_told_by_its_lines(tmp_path: Path) -> None:
    binaries = written(tmp_path / "bench"), written(tmp_path / "other")
    gone = str(tmp_path / "gone.cpp")
    (found,) = sources(
        work({(gone, 20): 50, (gone, 21): 7}, {(gone, 20): 150, (gone, 21): 7}), binaries
    )
    assert [(one.base, one.text, one.costs) for one in found.parts[0]] == [(20, "", (50, 150))]
    assert found.note == (
        "base: its text is not there any more; candidate: its text is not there any more"
    )


def test_files_that_are_nothing_of_each_other_stand_for_themselves(tmp_path: Path) -> None:
    one, two = written(tmp_path / "a" / "crc.cpp"), written(tmp_path / "b" / "zoom.cpp")
    binaries = written(tmp_path / "bench"), written(tmp_path / "other")
    found = sources(work({(one, 3): 50}, {(two, 3): 150}), binaries)
    assert [(source.file, source.parts[0][2].costs) for source in found] == [
        (two, (0, 150)),
        (one, (50, 0)),
    ]
