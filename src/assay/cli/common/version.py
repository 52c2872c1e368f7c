"""What `assay --version` says: its version, and what it is made of on this machine.

The first line is for programs. The others are what a bug report needs; they are found without
importing a library or running a program.
"""

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from assay import __version__
from assay.measure.executor import folder_of_native_programs

_LIBRARIES = (
    "capstone",
    "jinja2",
    "msgspec",
    "numpy",
    "pyarrow",
    "rich",
    "typer",
    "vl-convert-python",
)
_PROGRAMS = {  # native program of Assay -> what it is for
    "assay-launch": "launcher",
    "assay-index": "index lab",
    "assay-os": "OS lab",
    "suites": "suites",
}


def version_lines() -> Iterator[str]:
    """Lines on Assay, Python, the system, the package, the native programs and the libraries."""
    yield f"assay {__version__}"
    yield f"  python     {platform.python_version()}, {sys.executable}"
    yield f"  system     {platform.system()} {platform.release()}, {platform.machine()}"
    yield f"  package    {Path(__file__).resolve().parents[2]}"
    yield f"  native     {_native(folder_of_native_programs())}"
    yield f"  libraries  {', '.join(f'{name} {_version(name)}' for name in _LIBRARIES)}"


def _native(folder: Path) -> str:
    there = [what for name, what in _PROGRAMS.items() if (folder / name).exists()]
    absent = [what for name, what in _PROGRAMS.items() if not (folder / name).exists()]
    lacking = f"; not here: {', '.join(absent)}" if absent else ""
    return f"{', '.join(there) or 'nothing'} in {folder}{lacking}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(missing)"
