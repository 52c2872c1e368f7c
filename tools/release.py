"""Makes what is released, in dist: the same bytes wherever the same commit is built.

    .venv/bin/python tools/release.py                 # which is `./dev wheel`
    .venv/bin/python tools/release.py --arch aarch64  # of one kind of machine only

The sources (sdist), of which `pip` can build a wheel, and a wheel for each kind of machine: this
one's, and aarch64 where Debian's compiler for it is installed. Beside each wheel lies the list of
what it contains and needs (SBOM), which is in it, too. Of the labs it has the OS lab, linked with
no library; the others and the demo need libraries that other machines do not have.
"""

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT_BYTES = 25_000_000
# The oldest C library that a wheel says it runs with: tests/python/packaging/test_old_glibc.py
# compares that with what is in it.
OLDEST_GLIBC = (2, 28)
OPTIONS = (
    "--no-deps",
    "--no-build-isolation",
    "--config-settings=cmake.define.ASSAY_BUILD_LABS=ON",  # OFF where `./dev setup` installed it
    "--config-settings=cmake.define.ASSAY_LABS=os",
    "--config-settings=cmake.define.ASSAY_STATIC_OS_LAB=ON",
    "--config-settings=cmake.define.ASSAY_BUILD_EXAMPLES=OFF",
    "--config-settings=wheel.reproducible=true",
)
HERE = platform.machine()
# Kinds of machines that another one can build for: the compiler, and Debian's package of it.
CROSS = {"aarch64": ("aarch64-linux-gnu-g++", "g++-aarch64-linux-gnu")}


def main(words: list[str] | None = None) -> int:
    """Make all files; returns the exit code."""
    parser = argparse.ArgumentParser(prog="./dev wheel")
    known = sorted({HERE, *CROSS})
    parser.add_argument("--arch", choices=known, action="append", help="only this one; repeatable")
    machines = parser.parse_args(words).arch or [one for one in known if not _lacking(one)]
    for machine in machines:
        if lacking := _lacking(machine):
            return _refused(f"no compiler for {machine}; run: apt-get install {lacking}")
    folder = ROOT / "dist"
    for old in folder.glob("assay-*"):
        old.unlink()
    made = [sources(ROOT, folder)]
    for machine in machines:
        wheel = built(ROOT, folder, machine=machine)
        listed = wheel.with_name(f"{wheel.name}.cdx.json")
        listed.write_bytes(sbom_in(wheel))
        made += [wheel, listed]
    for path in made:
        size = path.stat().st_size
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}  {size:,} bytes")
        if size > LIMIT_BYTES:
            return _refused(f"{path.name} is larger than {LIMIT_BYTES:,} bytes")
    return 0


def _lacking(machine: str) -> str:
    """The package that a build for this kind of machine needs and that is not there."""
    compiler, package = CROSS.get(machine, ("", ""))
    return "" if machine == HERE or shutil.which(compiler) else package


def _refused(why: str) -> int:
    print(f"error: {why}", file=sys.stderr)
    return 1


def tag(machine: str) -> str:
    """What the name of a wheel for this kind of machine ends with."""
    return f"py3-none-manylinux_{OLDEST_GLIBC[0]}_{OLDEST_GLIBC[1]}_{machine}"


def built(source: Path, folder: Path, when: str = "", machine: str = HERE) -> Path:
    """The wheel of a clone, put into a folder; `when` is the time of all that is in it."""
    options = [*OPTIONS, f"--config-settings=wheel.tags={tag(machine)}"]
    if machine != HERE:
        options += [
            f"--config-settings=cmake.define.CMAKE_TOOLCHAIN_FILE={source}/cmake/{machine}.cmake",
            f"--config-settings=build-dir=build/wheel-{machine}",
        ]
    command = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "wheel")
    _run(
        [*command, *options, "--wheel-dir", str(folder), str(source)], source, _times(source, when)
    )
    (wheel,) = folder.glob(f"assay-*-{tag(machine)}.whl")
    return wheel


def sources(source: Path, folder: Path, when: str = "") -> Path:
    """The sources of a clone, put into a folder, as `pip` wants them (sdist)."""
    program = "import sys, scikit_build_core.build as b; b.build_sdist(sys.argv[1])"
    folder.mkdir(parents=True, exist_ok=True)
    _run([sys.executable, "-c", program, str(folder)], source, _times(source, when))
    (made,) = folder.glob("assay-*.tar.gz")
    return made


def _times(source: Path, when: str) -> dict[str, str]:
    when = when or date(source)
    return {"SOURCE_DATE_EPOCH": when} if when else {}


def _run(command: list[str], where: Path, told: Mapping[str, str]) -> None:
    done = subprocess.run(
        command, cwd=where, env={**os.environ, **told}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)


def date(source: Path) -> str:
    """When the commit of a clone was made, in seconds; empty where it is no clone."""
    command = ["git", "-C", str(source), "log", "-1", "--format=%ct"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def sbom_in(wheel: Path) -> bytes:
    """What a wheel says that it contains and needs."""
    with zipfile.ZipFile(wheel) as file:
        (name,) = (one for one in file.namelist() if ".dist-info/sboms/" in one)
        return file.read(name)


if __name__ == "__main__":
    sys.exit(main())
