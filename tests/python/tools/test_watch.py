"""`./dev watch`: which tests belong to which file, and what counts as changed."""

import importlib.util
import json
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("watch", ROOT / "tools" / "watch.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.chdir(ROOT)
    return module


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("src/assay/judge/look.py", ["tests/python/judge/test_look.py"]),
        ("src/assay/judge/paired/tails.py", ["tests/python/judge/paired/test_tails.py"]),
        ("tests/python/judge/test_look.py", ["tests/python/judge/test_look.py"]),
        ("tests/python/judge/test_that_was_removed.py", []),
        ("tools/watch.py", ["tests/python/tools/test_watch.py"]),
        ("examples/index/sweep.toml", []),
    ],
)
def test_python_tests_of_a_file(watch: ModuleType, changed: str, tests: list[str]) -> None:
    assert [str(path) for path in watch.python_tests(Path(changed))] == tests


def test_a_module_without_a_test_file_is_tested_by_those_that_import_it(watch: ModuleType) -> None:
    found = watch.python_tests(Path("src/assay/judge/family/family.py"))
    assert found
    assert all("family" in path.read_text() for path in found)


def test_documents_are_held_to_their_quotations(watch: ModuleType) -> None:
    assert Path("tests/contract/test_quotes.py") in watch.python_tests(Path("README.md"))


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """Compile commands as CMake writes them."""
    source = "native/base/result_test.cpp"
    entry = {
        "directory": "/build",
        "command": f"c++ -o native/CMakeFiles/assay_base_tests.dir/x.cpp.o -c {source}",
        "file": f"/somewhere/{source}",
    }
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    return tmp_path


@pytest.mark.parametrize("name", ["result.hpp", "result_test.cpp"])
def test_native_test_of_a_unit(watch: ModuleType, build: Path, name: str) -> None:
    found = watch.native_test(Path("native/base") / name, build)
    assert found.target == "assay_base_tests"
    assert "Result.*" in found.filter


def test_a_header_without_a_test_has_none(watch: ModuleType, build: Path) -> None:
    assert watch.native_test(Path("native/base/units.hpp"), build) is None
    commands, untested = watch.plan([Path("native/base/units.hpp")])
    assert (commands, untested) == ([], [Path("native/base/units.hpp")])


def test_what_differs_from_the_last_commit_and_what_was_written_since(
    watch: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in ("init -q", "commit -q --allow-empty -m none"):
        names = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *names, *words.split()], check=True)
    Path("new.py").write_text("x = 1\n")
    assert watch.differing() == [Path("new.py")]
    before = watch.times()
    Path("newer.py").write_text("x = 1\n")
    assert watch.newer(before, watch.times()) == [Path("newer.py")]


def test_one_failure_is_the_exit_code_and_stops_its_commands(watch: ModuleType) -> None:
    assert watch._run([["true"], ["false"], ["a-program-that-is-not-there"]]) == 1
    assert watch._run([["true"], ["true"]]) == 0
