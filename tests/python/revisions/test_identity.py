"""Two builds are one program when nothing that is loaded differs."""

import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.revisions.identity import fingerprint

SOURCE = """
#include <cassert>
#include <cstdio>
extern int step(int);
int main(int count, char **) { assert(count < 100); std::printf("%d\\n", step(count)); }
"""
STEP = "int step(int x) { return x + 1; }\n"
Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Builds in a folder named as a build's is: its name is of a known length."""
    number = 0

    def build(*flags: str, source: str = SOURCE, step: str = STEP, library: bool = False) -> Path:
        nonlocal number
        number += 1
        folder = tmp_path / f"{number:040x}"
        folder.mkdir()
        (folder / "main.cpp").write_text(source)
        (folder / "step.cpp").write_text(step)
        main, other = str(folder / "main.cpp"), str(folder / "step.cpp")
        words = ["c++", "-g", "-O1", *flags, "-o", str(folder / "program"), main]
        if library:
            shared = str(folder / "libstep.so")
            subprocess.run(["c++", "-shared", "-fPIC", "-o", shared, other], check=True)
            words += [f"-L{folder}", "-lstep", f"-Wl,-rpath,{folder}"]
        else:
            words += [other]
        subprocess.run(words, check=True)
        return folder

    return build


def of(folder: Path) -> str | None:
    return fingerprint(folder / "program", folder)


def test_the_same_source_in_another_folder_is_the_same_program(make: Make) -> None:
    one, other = make(), make()
    assert (one / "program").read_bytes() != (other / "program").read_bytes(), "paths, build ids"
    assert of(one) == of(other) is not None
    assert of(make(source=SOURCE + "// a comment\n")) == of(one)


def test_other_code_or_data_is_another(make: Make) -> None:
    prints = {
        of(make()),
        of(make(step=STEP.replace("1", "2"))),
        of(make(source=SOURCE.replace("%d", "%i"))),
        of(make("-O2")),
        of(make(source=SOURCE + "int more[100];\n")),
    }
    assert len(prints) == 5


def test_a_library_that_was_built_too_is_part_of_it(make: Make) -> None:
    one, same = make(library=True), make(library=True)
    other = make(library=True, step=STEP.replace("1", "2"))
    assert of(one) == of(same)
    assert of(one) != of(other)


def test_what_has_no_fingerprint(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    assert fingerprint(script, tmp_path) is None
    assert fingerprint(tmp_path / "none", tmp_path) is None


def test_a_file_whose_sections_cannot_be_read_is_taken_whole(make: Make) -> None:
    folder = make()
    content = (folder / "program").read_bytes()
    for cut in (content[:200], content[:70] + b"x" + content[71:200], b"\x7fELF"):
        (folder / "cut").write_bytes(cut)
        assert fingerprint(folder / "cut", folder) is not None
    prints = set()
    for cut in (content[:200], content[:199] + b"x"):
        (folder / "cut").write_bytes(cut)
        prints.add(fingerprint(folder / "cut", folder))
    assert len(prints) == 2


def test_a_damaged_library_is_hashed_as_it_is(make: Make) -> None:
    folder = make(library=True)
    library = folder / "libstep.so"
    whole = of(folder)
    content = bytearray(library.read_bytes())
    (table,) = struct.unpack_from("<Q", content, 0x28)
    content[table : table + 4] = b"\xff" * 4  # the first section's name lies beyond the file's end
    library.write_bytes(content)
    assert of(folder) not in (whole, None)
