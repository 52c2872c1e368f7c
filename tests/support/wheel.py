"""The wheel of this clone, built once for all tests, and the pinned versions of what it needs."""

import fcntl
import os
import re
import subprocess
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import release

ROOT = Path(__file__).resolve().parents[2]


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """One folder shared by all workers of this test run."""
    folder = factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


def made_wheel(factory: pytest.TempPathFactory, machine: str = release.HERE) -> Path:
    """The one that is released, built in this clone's own folder, where little is to compile."""
    folder = shared_folder(factory) / f"wheel-{machine}"
    with alone(folder.with_suffix(".made")):
        if not folder.exists():
            release.built(ROOT, folder, machine=machine)
    (wheel,) = folder.glob("assay-*.whl")
    return wheel


def clean_environment(folder: Path) -> dict[str, str]:
    """Variables in which nothing of this clone is found; what Assay keeps goes into a folder."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    for name in ("ASSAY_LIBEXEC", "VIRTUAL_ENV"):
        clean.pop(name, None)
    places = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("STATE", "CACHE")}
    return clean | places | {"PATH": "/usr/bin:/bin"}


def installed_wheel(factory: pytest.TempPathFactory) -> Path:
    """An environment with it and what it needs, as pinned for everybody; made once for all."""
    folder, wheel = shared_folder(factory) / "clean", made_wheel(factory)
    with alone(folder.with_suffix(".lock")):
        if not (folder / "bin" / "assay").exists():
            venv.create(folder, with_pip=True)
            pip(folder / "bin" / "python", "install", "--constraint", pins(folder), wheel)
    return folder


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
