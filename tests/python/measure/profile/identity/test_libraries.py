"""Libraries that a project builds itself, traced for real: what is found in them by its name."""

import shutil
import subprocess
from pathlib import Path

import pytest

from assay.judge.same_code import compare_footprints
from assay.measure.executor import ProcessExecutor, find_launcher
from assay.measure.profile.identity.footprint import Footprints
from assay.measure.targets.gbench import GBenchTarget
from assay.record import reader
from assay.same_code import Footprint

SOURCES = Path(__file__).parents[4] / "data" / "same_code"

pytestmark = pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")


def run(*words: str | Path) -> None:
    subprocess.run([*map(str, words)], check=True, stdin=subprocess.DEVNULL)


def footprint(folder: Path, name: str) -> Footprint:
    executor = ProcessExecutor(find_launcher())
    target = GBenchTarget((str(folder / "bench"),), "bench", executor, reader.parse, 600.0)
    return Footprints(executor).footprint(target, name, 100)


def test_functions_and_data_that_exchange_their_names_are_told(tmp_path: Path) -> None:
    """Each of them is what it was, and is used as often; only which one is meant changes."""
    found: list[dict[str, Footprint]] = []
    run("g++", "-O2", "-fPIC", "-c", SOURCES / "uses_pair.cpp", "-o", tmp_path / "uses.o")
    for number, flag in enumerate(("-DSAME", "-DSWAPPED", "-DSAME")):
        folder = tmp_path / str(number)
        folder.mkdir()
        library, origin = folder / "libpair.so", "-Wl,-rpath,$ORIGIN"
        run("g++", "-O2", "-shared", "-fPIC", flag, SOURCES / "pair.cpp", "-o", library)
        run("g++", tmp_path / "uses.o", library, origin, "-lbenchmark", "-o", folder / "bench")
        found.append({one: footprint(folder, one) for one in ("BM_pair", "BM_tables")})
    base, swapped, again = found
    for name, one in base.items():
        assert one.code, one.refused
        assert not compare_footprints(one, swapped[name], 1).same
        assert compare_footprints(one, again[name], 1).same
