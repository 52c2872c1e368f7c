"""The wheel of this clone, built once for all tests, and the pinned versions of what it needs."""

import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """One folder shared by all workers of this test run."""
    folder = factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


def made_wheel(factory: pytest.TempPathFactory) -> Path:
    """Build it as `./dev setup` does, in the same build folder, where little is left to compile."""
    folder = shared_folder(factory) / "wheel"
    options = (
        "--no-deps",
        "--no-build-isolation",
        "--config-settings=cmake.define.ASSAY_BUILD_LABS=OFF",
    )
    with alone(folder.with_suffix(".made")):
        if not folder.exists():
            pip(Path(sys.executable), "wheel", *options, "--wheel-dir", folder, ROOT)
    (wheel,) = folder.glob("assay-*.whl")
    return wheel


def pins(folder: Path) -> Path:
    """The pinned versions, as a constraints file for pip."""
    lines = (ROOT / "requirements" / "runtime.txt").read_text().splitlines()
    file = folder / "pins.txt"
    file.write_text("".join(f"{one.split()[0]}\n" for one in lines if re.match(r"\w\S*==", one)))
    return file


def pip(python: Path, *words: object) -> None:
    """Run pip of a Python, which must succeed."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """A block that only one worker at a time can be in, for each lock."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
