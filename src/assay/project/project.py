"""The project of the user: the folder of its `assay.toml`, and the content of that file.

project = find_project(Path.cwd())       # None if there is no assay.toml
project.suite(None)                      # ("main", SuiteTable(run="build/bench"))
project.configuration.build.commands
"""

import shlex
from pathlib import Path, PurePosixPath

import msgspec

from assay.errors import InputError, UsageError
from assay.project.configuration import Build, Configuration, SuiteTable
from assay.project.toml_file import error_at_key, nearest_key_hint, parse_toml, text_of

NAME = "assay.toml"  # name of the file that describes a project
SMALLEST = """\
[build]
commands = ["cmake -S . -B build", "cmake --build build"]
[suites.main]
run = "build/bench"
"""
_HINT = "docs/reference/assay-toml.md has all keys"


class Project(msgspec.Struct, frozen=True):
    """The user's project: its `assay.toml`, and the folder that this lies in."""

    path: Path  # path of its `assay.toml`
    configuration: Configuration

    @property
    def folder(self) -> Path:
        return self.path.parent

    @property
    def store(self) -> Path:
        """The folder in which runs are kept."""
        return self.folder / self.configuration.store.path

    @property
    def build(self) -> Build:
        """How a revision is built. Raises `InputError` where the file does not say."""
        if self.configuration.build is None:
            hint = 'write [build] and below it commands = ["make"]'
            raise InputError("does not say how to build", where=str(self.path), hint=hint)
        return self.configuration.build

    def suite(self, name: str | None) -> tuple[str, SuiteTable]:
        """The suite of this name; with None the only suite. Raises `UsageError`, `InputError`."""
        suites = self.configuration.suites
        if not suites:
            hint = 'write [suites.main] and below it run = "build/bench"'
            raise InputError("names no suite", where=str(self.path), hint=hint)
        if name is None and len(suites) > 1:
            what = f"there are several suites: {', '.join(suites)}"
            raise UsageError(what, where=str(self.path), hint="choose one with --suite NAME")
        name = next(iter(suites)) if name is None else name
        if name not in suites:
            raise UsageError(
                "no such suite", where=f"--suite {name}", hint=nearest_key_hint(name, list(suites))
            )
        return name, suites[name]


def find_project(start: Path) -> Project | None:
    """The `assay.toml` of `start` or of a folder above it, inside the same git repository."""
    path = start.absolute()
    for folder in (path, *path.parents):
        if (folder / NAME).is_file():
            return read_project(folder / NAME)
        if (folder / ".git").exists():
            return None
    return None


def needed_project(start: Path) -> Project:
    """Like `find_project`, but raises `InputError` with what to write if there is none."""
    project = find_project(start)
    if project is None:
        lines = ", ".join(SMALLEST.splitlines())
        raise InputError(
            f"no {NAME} here or in a folder above, which says how to build a revision",
            where=str(start.absolute()),
            hint=f"write these lines into one, with your own commands: {lines}",
        )
    return project


def read_project(path: Path) -> Project:
    """The project that an `assay.toml` describes. Raises `InputError` with the line and column of a
    fault."""
    return parse_project(text_of(path), path.absolute(), str(path))


def parse_project(text: str, path: Path, where: str) -> Project:
    """The project by the `assay.toml` of another revision, as if it lay at `path`; `where` names it
    in messages."""
    read = parse_toml(text, where, Configuration, hint=_HINT)
    _check(read, text, where)
    return Project(path, read)


def _check(read: Configuration, text: str, where: str) -> None:
    """Check what the types of values cannot express. Raises `InputError`."""
    for name, suite in read.suites.items():
        if wrong := _fault_of_run(suite.run):
            what, hint = wrong
            raise error_at_key(text, where, ("suites", name, "run"), f"`run` {what}", hint)


def _fault_of_run(run: str) -> tuple[str, str] | None:
    """What is wrong with a suite's `run`, and a hint; None: nothing."""
    if run.startswith("cmd:"):
        return None if run.removeprefix("cmd:").strip() else ("is empty", "write cmd:PROGRAM ARGS")
    try:
        words = shlex.split(run)
    except ValueError as error:
        return f"cannot be split into words: {error}", "close the quotation"
    if not words:
        return "is empty", 'write the path of an executable: "build/bench"'
    path = PurePosixPath(words[0])
    if path.is_absolute() or ".." in path.parts:
        return "leads out of the checkout", 'write a path below it: "build/bench"'
    return None
