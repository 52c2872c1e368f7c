"""Runs the tests of what changed, again after each change.

    ./dev watch           waits for files to change; Ctrl-C ends it
    ./dev watch --once    the tests of what differs from the last commit, then ends

Which tests: for a Python module the test file of its name (tests/python mirrors src/assay), or else
the test files that import it; for a native unit its x_test.cpp, built and run by itself; for a
document the tests of quotations and paths. Files without any such test are listed.

Once a second it looks at the modification times of the files that git knows, which takes 40 ms of
CPU time. So do not measure at the same time.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

PYTHON_TESTS = Path("tests/python")
BUILD = Path("build/release")
DOCUMENT_TESTS = (Path("tests/contract/test_quotes.py"), PYTHON_TESTS / "tools/test_map.py")
EVERY_S = 1.0


class NativeTest(NamedTuple):
    """One x_test.cpp: the executable it is part of, and the names of its tests."""

    target: str
    filter: str


def main(arguments: list[str]) -> int:
    """Run tests; returns the exit code of the last ones."""
    if arguments not in ([], ["--once"]):
        print("usage: ./dev watch [--once]", file=sys.stderr)
        return 2
    code = run_tests_of(differing())
    if arguments:
        return code
    try:
        for changed in changes():
            code = run_tests_of(changed)
    except KeyboardInterrupt:
        print()
    return code


# ---- what changed -----------------------------------------------------------------------


def differing() -> list[Path]:
    """Files that differ from the last commit, including new ones."""
    known = _git("diff", "--name-only", "HEAD")
    return [Path(line) for line in (*known, *_git("ls-files", "-o", "--exclude-standard"))]


def changes() -> Iterator[list[Path]]:
    """Files written since the last look; waits until there are some."""
    before = times()
    print("watching; Ctrl-C ends it", flush=True)
    while True:
        time.sleep(EVERY_S)
        now = times()
        if changed := newer(before, now):
            yield changed
            now = times()  # the tests themselves may have written files
        before = now


def times() -> dict[Path, int]:
    """The modification time of every file that git knows or does not ignore."""
    found = {}
    for line in _git("ls-files", "-co", "--exclude-standard"):
        try:
            found[Path(line)] = Path(line).stat().st_mtime_ns
        except FileNotFoundError:
            continue
    return found


def newer(before: Mapping[Path, int], now: Mapping[Path, int]) -> list[Path]:
    """Files that are new or were written again."""
    return [path for path, written in now.items() if before.get(path) != written]


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


# ---- which tests ------------------------------------------------------------------------


def python_tests(path: Path) -> list[Path]:
    """The test files for a Python module, a test file or a document."""
    if path.name.startswith("test_") and path.suffix == ".py":
        return [path] if path.is_file() else []
    if path.suffix == ".md":
        return [one for one in DOCUMENT_TESTS if one.is_file()]
    if path.parts[:2] == ("src", "assay"):
        own = PYTHON_TESTS.joinpath(*path.parts[2:-1], f"test_{path.stem}.py")
        return [own] if own.is_file() else _importers(path)
    if path.parts[0] == "tools":
        own = PYTHON_TESTS / "tools" / f"test_{path.stem}.py"
        return [own] if own.is_file() else []
    return []


def _importers(path: Path) -> list[Path]:
    """Test files that import the module at `path`."""
    package, name = re.escape(".".join(path.parts[1:-1])), path.stem
    imports = re.compile(rf"(from|import) {package}\.{name}\b|from {package} import .*\b{name}\b")
    tests = sorted(PYTHON_TESTS.rglob("test_*.py"))
    return [test for test in tests if imports.search(test.read_text())]


def native_test(path: Path, build: Path = BUILD) -> NativeTest | None:
    """The test of a native unit x: x_test.cpp beside it, if it is part of the build."""
    if path.suffix not in (".cpp", ".hpp") or path.parts[0] not in ("native", "labs"):
        return None
    source = path.with_name(f"{path.stem.removesuffix('_test')}_test.cpp")
    commands = build / "compile_commands.json"
    if not source.is_file() or not commands.is_file():
        return None
    for entry in json.loads(commands.read_text()):
        if entry["file"].endswith(f"/{source}"):
            target = re.search(r"/([\w-]+)\.dir/", entry["command"])
            suites = sorted(
                set(re.findall(r"^(?:TYPED_)?TEST\w*\((\w+),", source.read_text(), re.M))
            )
            names = ":".join(f"{one}.*:*/{one}.*:{one}/*" for one in suites)
            return NativeTest(target[1], names) if target else None
    return None


# ---- running them -----------------------------------------------------------------------


def run_tests_of(changed: Iterable[Path]) -> int:
    """Run the tests of these files; returns the exit code."""
    commands, untested = plan(changed)
    for path in untested:
        print(f"{path}: no test is named after it or imports it")
    codes = [_run(each) for each in commands]
    if commands:
        print("failed" if any(codes) else "passed", flush=True)
    return max(codes, default=0)


def plan(changed: Iterable[Path]) -> tuple[list[list[list[str]]], list[Path]]:
    """Groups of commands that test the files, and the files that nothing tests."""
    tests: dict[Path, None] = {}
    native: dict[NativeTest, None] = {}
    untested = []
    for path in changed:
        found = python_tests(path)
        tests.update(dict.fromkeys(found))
        if one := native_test(path):
            native[one] = None
        elif not found and path.suffix in (".py", ".cpp", ".hpp"):
            untested.append(path)
    commands = [_built_and_run(one) for one in native]
    if tests:
        commands.append([[sys.executable, "-m", "pytest", *map(str, tests)]])
    return commands, untested


def _built_and_run(test: NativeTest) -> list[list[str]]:
    program = str(BUILD / "tests" / test.target)
    return [
        ["cmake", "--build", str(BUILD), "--target", test.target],
        [program, f"--gtest_filter={test.filter}", "--gtest_brief=1"],
    ]


def _run(commands: list[list[str]]) -> int:
    """Run one command after another, until one fails: what was not built is not run."""
    for command in commands:
        if code := subprocess.run(command, check=False).returncode:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
