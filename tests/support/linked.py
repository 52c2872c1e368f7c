"""What of others is in a program that was built: by its link, and by the headers of its objects.

    owners(outside("build/wheel", "libexec/assay/assay-launch"))    # {"libc6-dev", ...}

Ninja knows what it built of what, the linker tells what it takes, and Debian whose each file is.
"""

import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path


def outside(build: Path, target: str) -> set[str]:
    """Headers, objects and archives from outside the project, and names of shared libraries."""
    objects = [one for one in _ninja(build, "inputs", target) if one.endswith(".o")]
    lines = _ninja(build, "deps", *objects)
    read = {line.strip() for line in lines if line.startswith("    /")}
    needed: set[str] = set()
    if not target.endswith(".a"):  # which is not linked: it has its objects and no others
        read |= _taken(build, target)
        needed = {one for one in _needed(build / target) if not one.startswith("libassay_")}
    own = (str(_source(build)), str(build.resolve()))
    return {one for one in read if not one.startswith(own)} | needed


def owners(files: Iterable[str]) -> set[str]:
    """Packages of Debian that have them; of a file that none has, its name."""
    found: set[str] = set()
    for place in files:
        names = {place, place.removeprefix("/usr"), str(Path(place).resolve())}
        found |= set().union(*(_packages().get(name, ()) for name in names)) or {place}
    return found


@cache
def _packages() -> dict[str, set[str]]:
    """Of each path, and of each shared library by its name alone, the packages that have it."""
    found: dict[str, set[str]] = {}
    for path in Path("/var/lib/dpkg/info").glob("*.list"):
        package = path.stem.split(":")[0]
        for line in path.read_text().splitlines():
            found.setdefault(line, set()).add(package)
            if "/x86_64-linux-gnu/" in line and ".so" in line:
                found.setdefault(line.rpartition("/")[2], set()).add(package)
    return found


def _ninja(build: Path, *tool: str) -> list[str]:
    """Without writing, as `-n` says: the folder may be another's."""
    command = ["ninja", "-n", "-C", str(build), "-t", *tool]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def _source(build: Path) -> Path:
    cache = (build / "CMakeCache.txt").read_text()
    return Path(re.findall(r"(?m)^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache)[0])


def _taken(build: Path, target: str) -> set[str]:
    """Objects and archives that the linker takes; the program is linked once more, to nowhere."""
    link = _ninja(build, "commands", target)[-1].removeprefix(": && ").removesuffix(" && :")
    told = subprocess.run(
        f"{link} -o /dev/null -Wl,--trace", shell=True, cwd=build, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    files = {line.split("(")[0].strip() for line in told.stdout.splitlines()}
    return {str(Path(one).resolve()) for one in files if one.startswith("/") and ".so" not in one}


def _needed(program: Path) -> set[str]:
    told = subprocess.run(["objdump", "-p", program], capture_output=True, text=True, check=True)
    return set(re.findall(r"NEEDED +(\S+)", told.stdout))
