"""Makes the wheel that is released, in dist: the same bytes wherever the same commit is built.

    .venv/bin/python tools/release.py     # which is `./dev wheel`

Beside the wheel it puts the list of what the wheel contains and needs (SBOM), which lies inside,
too. The labs are left out: they need libraries that other machines do not have.
"""

import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT_BYTES = 25_000_000
OPTIONS = (
    "--no-deps",
    "--no-build-isolation",
    "--config-settings=cmake.define.ASSAY_BUILD_LABS=OFF",
    "--config-settings=wheel.reproducible=true",
)


def main() -> int:
    """Make both files; returns the exit code."""
    folder = ROOT / "dist"
    for old in folder.glob("assay-*"):
        old.unlink()
    wheel = built(ROOT, folder)
    listed = wheel.with_name(f"{wheel.name}.cdx.json")
    listed.write_bytes(sbom_in(wheel))
    for path in (wheel, listed):
        size = path.stat().st_size
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}  {size:,} bytes")
    if wheel.stat().st_size > LIMIT_BYTES:
        print(f"error: the wheel is larger than {LIMIT_BYTES:,} bytes", file=sys.stderr)
        return 1
    return 0


def built(source: Path, folder: Path, when: str = "") -> Path:
    """The wheel of a clone, put into a folder; `when` is the time of all that is in it."""
    command = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "wheel")
    when = when or date(source)
    told = os.environ | ({"SOURCE_DATE_EPOCH": when} if when else {})
    done = subprocess.run(
        [*command, *OPTIONS, "--wheel-dir", str(folder), str(source)],
        env=told,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    (wheel,) = folder.glob("assay-*.whl")
    return wheel


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
