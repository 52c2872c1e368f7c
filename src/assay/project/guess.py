"""Guesses from a project's files how it is built and measured, for `assay init`.

    guess_build(Path.cwd())  # Guess(kind="CMake", found="CMakeLists.txt", commands=(...), run=...)

Files are read, and nothing is run. Of the many ways in which a build system can say something, only
the usual one is understood. A guess is a beginning for the user to check, and says what it comes
from.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from assay.errors import InputError
from assay.project.toml_file import loaded_toml
from assay.small_files import open_regular

_MOST_BYTES = 2**20  # bytes of a build file that are read
_MOST_FILES = 2_000  # files and folders of a project that are looked at
# Folders that are not searched, because they hold what is built or what others wrote.
_SKIPPED = {"build", "target", "node_modules", "third_party", "external", "vendor", "_deps"}
_WORD = r"[A-Za-z0-9_][A-Za-z0-9_.+-]*"  # pattern of a name in a build file


class Guess(msgspec.Struct, frozen=True):
    """A guess of how a project is built and what to measure, for its first `assay.toml`."""

    kind: str  # the build system, such as "CMake"
    found: str  # the file that shows the build system
    commands: tuple[str, ...]  # commands that build the project
    run: str  # value of `run` in a suite: the program to measure
    why: str  # what `run` was guessed from


def guess_build(folder: Path) -> Guess | None:
    """A guess by the first build system that fits the files; None if none fits."""
    return next((found for look in _KINDS if (found := look(folder))), None)


def _guess_cmake(folder: Path) -> Guess | None:
    if not (folder / "CMakeLists.txt").is_file():
        return None
    commands = ("cmake -S . -B build -DCMAKE_BUILD_TYPE=Release", "cmake --build build")
    programs: list[tuple[int, str, str]] = []
    for path in _files_named(folder, "CMakeLists.txt"):
        text = re.sub(r"#[^\n]*", "", _beginning_of_file(path))
        place = path.parent.relative_to(folder).as_posix()
        linked = _linked_with_benchmark(text)
        for name in re.findall(rf"\badd_executable\s*\(\s*({_WORD})", text, re.IGNORECASE):
            programs.append((_rank_of_program(name, name.lower() in linked), name, place))
        for name in re.findall(rf"\bassay_add_benchmark\s*\(\s*({_WORD})", text):
            programs.append((0, name, place))
    return _guess_from_programs("CMake", "CMakeLists.txt", commands, programs, "add_executable")


def _linked_with_benchmark(text: str) -> set[str]:
    """Names in lower case of programs that are linked with Google Benchmark."""
    calls = re.findall(r"target_link_libraries\s*\(([^)]*)", text, re.IGNORECASE)
    named = (call.lower().strip().partition(" ") for call in map(_joined_lines, calls))
    return {name.strip('"') for name, _, libraries in named if re.search(r"\bbenchmark", libraries)}


def _joined_lines(text: str) -> str:
    """The text on one line, with single blanks."""
    return " ".join(text.split())


def _guess_meson(folder: Path) -> Guess | None:
    if not (folder / "meson.build").is_file():
        return None
    commands = ("meson setup build --buildtype=release", "meson compile -C build")
    programs: list[tuple[int, str, str]] = []
    for path in _files_named(folder, "meson.build"):
        place = path.parent.relative_to(folder).as_posix()
        for name, rest in re.findall(
            rf"\bexecutable\s*\(\s*'({_WORD})'([^)]*)", _beginning_of_file(path)
        ):
            programs.append((_rank_of_program(name, "benchmark" in rest), name, place))
    return _guess_from_programs("Meson", "meson.build", commands, programs, "executable")


def _guess_from_programs(
    kind: str,
    found: str,
    commands: tuple[str, ...],
    programs: list[tuple[int, str, str]],
    rule: str,
) -> Guess | None:
    """A guess from the programs that are built: the one most likely to be a benchmark."""
    if not programs:
        return Guess(kind, found, commands, "cmd:build/PROGRAM", f"no {rule} was found: name one")
    rank, name, place = min(programs, key=lambda one: one[0])
    parts = ("build", place if place != "." else "", name)
    path = shlex.quote("/".join(part for part in parts if part))
    if rank == 0:
        return Guess(kind, found, commands, path, f"{name} is built with Google Benchmark")
    what = "is called a benchmark" if rank == 1 else "is the first program"
    return Guess(kind, found, commands, f"cmd:{path}", f"{name} {what}; it is timed as a whole")


def _guess_cargo(folder: Path) -> Guess | None:
    path = folder / "Cargo.toml"
    if not path.is_file():
        return None
    document = _toml(path)
    names = [one.get("name") for one in _tables(document.get("bench"))]
    found = [one for one in _entries(folder / "benches") if one.name.endswith(".rs")]
    benches = [*names, *(one.name.removesuffix(".rs") for one in found)]
    if benches and benches[0]:
        name = shlex.quote(str(benches[0]))
        run = f"cmd:cargo bench --bench {name}"
        commands = ("cargo build --release", f"cargo bench --no-run --bench {name}")
        return Guess(
            "Cargo", path.name, commands, run, f"bench {benches[0]}; it is timed as a whole"
        )
    programs = [one.get("name") for one in _tables(document.get("bin"))]
    package = document.get("package")
    programs.append(package.get("name") if isinstance(package, dict) else None)
    name = next((one for one in programs if isinstance(one, str)), "PROGRAM")
    why = f"{name} is the package's program; it is timed as a whole"
    run = f"cmd:target/release/{shlex.quote(name)}"
    return Guess("Cargo", path.name, ("cargo build --release",), run, why)


def _guess_go(folder: Path) -> Guess | None:
    if not (folder / "go.mod").is_file():
        return None
    for path in _files_ending_in(folder, "_test.go"):
        if re.search(r"^func Benchmark\w*\(", _beginning_of_file(path), re.MULTILINE):
            place = path.parent.relative_to(folder).as_posix()
            package = shlex.quote("." if place == "." else f"./{place}")
            commands = (f"go test -c -o build/bench.test {package}",)
            run = "cmd:build/bench.test -test.run=^$ -test.bench=."
            return Guess("Go", "go.mod", commands, run, f"benchmarks of {path.name}, as a whole")
    why = "no benchmark was found; the program is timed as a whole"
    return Guess("Go", "go.mod", ("go build -o build/program .",), "cmd:build/program", why)


def _guess_make(folder: Path) -> Guess | None:
    found = next(
        (one for one in ("GNUmakefile", "makefile", "Makefile") if (folder / one).is_file()), ""
    )
    if not found:
        return None
    rules = re.findall(
        rf"^({_WORD}(?:/{_WORD})*)\s*:(?!=)", _beginning_of_file(folder / found), re.MULTILINE
    )
    named = next((rule for rule in rules if "bench" in rule.lower()), "")
    if named and re.search(rf"-o\s+(\$@|{re.escape(named)})", _beginning_of_file(folder / found)):
        return Guess(
            "make", found, (f"make {named}",), f"cmd:./{named}", f"the rule {named} makes it"
        )
    if named:
        why = f"there is a rule {named}; it is timed as a whole"
        return Guess("make", found, ("make",), f"cmd:make {named}", why)
    return Guess(
        "make", found, ("make",), "cmd:./PROGRAM", "no rule has bench in its name: name one"
    )


def _guess_pytest(folder: Path) -> Guess | None:
    tests = [path for path in _files_ending_in(folder, ".py") if path.name.startswith("test_")]
    found = next(
        (one for one in ("pyproject.toml", "setup.py", "pytest.ini") if (folder / one).is_file()),
        "",
    )
    if not tests or not found:
        return None
    commands = ("python3 -m compileall -q .",)
    for path in tests:
        parameters = re.findall(r"def test_\w+\(([^)]*)", _beginning_of_file(path))
        if any(re.search(r"\bbenchmark\b", one) for one in parameters):
            name = shlex.quote(path.relative_to(folder).as_posix())
            why = f"{path.name} uses pytest-benchmark; it is timed as a whole"
            return Guess("pytest", found, commands, f"cmd:python3 -m pytest -q {name}", why)
    why = "no benchmark was found; all tests are timed as a whole"
    return Guess("pytest", found, commands, "cmd:python3 -m pytest -q", why)


_KINDS: tuple[Callable[[Path], Guess | None], ...] = (
    _guess_cmake,
    _guess_meson,
    _guess_cargo,
    _guess_go,
    _guess_make,
    _guess_pytest,
)


def _rank_of_program(name: str, is_benchmark: bool) -> int:
    """How likely a program is to be the benchmark: the lower, the likelier."""
    return 0 if is_benchmark else 1 if "bench" in name.lower() else 2


def _files_named(folder: Path, name: str) -> Iterator[Path]:
    return (path for path in _files(folder) if path.name == name)


def _files_ending_in(folder: Path, end: str) -> Iterator[Path]:
    return (path for path in _files(folder) if path.name.endswith(end))


def _files(folder: Path) -> Iterator[Path]:
    """Files of the project, those in upper folders first; no hidden or build folders."""
    waiting, seen = [folder], 0
    while waiting and seen < _MOST_FILES:
        for entry in _entries(waiting.pop(0)):
            seen += 1
            if entry.name.startswith(".") or entry.name in _SKIPPED:
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    """The content of a folder, sorted by name. Names that are not UTF-8 are left out, as TOML
    cannot hold them."""
    try:
        with os.scandir(folder) as entries:
            return sorted(filter(_can_be_written, entries), key=lambda one: one.name)
    except OSError:
        return []


def _can_be_written(entry: "os.DirEntry[str]") -> bool:
    """Whether a file's name is UTF-8, as TOML must be."""
    try:
        entry.name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _beginning_of_file(path: Path) -> str:
    """The beginning of a file; empty where it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(_MOST_BYTES).decode(errors="replace")
    except (OSError, InputError):
        return ""


def _toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file; empty where it cannot be read."""
    try:
        return loaded_toml(_beginning_of_file(path), str(path))
    except InputError:
        return {}


def _tables(value: object) -> list[dict[str, Any]]:
    """The tables in an array of tables; none for a value of another kind."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
