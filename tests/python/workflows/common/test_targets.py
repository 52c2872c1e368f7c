from pathlib import Path

import pytest
from conftest import DATA, ScriptedExecutor, finished, gbench_json, row

from assay.errors import AssayError
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.workflows.common.targets import RecordedTarget, TargetContext, resolve

KIT = TargetContext(ScriptedExecutor(lambda _: finished()), 5.0)


def test_kinds_of_targets(tmp_path: Path) -> None:
    results = tmp_path / "r.json"
    results.write_text(gbench_json([row("a")]))
    results.chmod(0o755)  # some file systems mark everything executable
    assert isinstance(resolve(str(results), KIT), RecordedTarget)
    assert isinstance(resolve("cmd:sh -c true", KIT), CommandTarget)
    assert isinstance(resolve("/bin/true", KIT), GBenchTarget)


def test_an_executable_with_arguments_and_one_with_a_space_in_its_path(tmp_path: Path) -> None:
    odd = tmp_path / "my bench"
    odd.write_text("#!/bin/sh\n")
    odd.chmod(0o755)
    assert resolve("/bin/echo -n 'a b'", KIT).argv == ("/bin/echo", "-n", "a b")  # type: ignore[union-attr]
    assert resolve(str(odd), KIT).argv == (str(odd),)  # type: ignore[union-attr]


def test_results_without_a_telling_suffix(tmp_path: Path) -> None:
    results = tmp_path / "baseline"
    results.write_text(gbench_json([row("a")]))
    assert isinstance(resolve(str(results), KIT), RecordedTarget)


@pytest.mark.parametrize(
    "name",
    [
        "formats/go_test/go_test.txt",
        "formats/junit/pytest.xml",
        "formats/gungraun/gungraun.ndjson",
        "libmicro/base0.out",
        "pibench/first_version.txt",
    ],
)
def test_files_of_other_tools(name: str, tmp_path: Path) -> None:
    path = DATA / name
    assert isinstance(resolve(str(path), KIT), RecordedTarget)
    bare = tmp_path / "baseline"
    bare.write_bytes(path.read_bytes())
    assert isinstance(resolve(str(bare), KIT), RecordedTarget)


def test_folders_that_a_tool_leaves_its_results_in() -> None:
    for name in ("criterion", "gungraun/target"):
        recorded = resolve(str(DATA / "formats" / name), KIT)
        assert isinstance(recorded, RecordedTarget)
        assert recorded.record.samples


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("no/such/bench", "no/such/bench: no such file"),
        ("missing.json", "missing.json: no such file"),
        ("cmd:no_such_program_anywhere", "no such file"),
        ("cmd:", "the command is empty"),
        ("run:yesterday", "there is no store of runs here"),
        ("git:", "names no revision"),
        ("", "a target is empty"),
        ("'unclosed", "cannot be split"),
    ],
)
def test_targets_that_are_none(written: str, message: str) -> None:
    with pytest.raises(AssayError, match=message) as caught:
        resolve(written, KIT)
    assert caught.value.exit_code == 2


def test_a_folder_without_results_is_no_target(tmp_path: Path) -> None:
    """Not the temporary folder itself: somebody's results of Criterion may lie there."""
    with pytest.raises(AssayError, match=f"{tmp_path}: is a directory") as caught:
        resolve(str(tmp_path), KIT)
    assert caught.value.exit_code == 2


def test_a_file_that_is_not_executable(tmp_path: Path) -> None:
    plain = tmp_path / "bench"
    plain.write_text("ELF, honest")
    plain.chmod(0o644)
    with pytest.raises(AssayError, match="is not executable; chmod"):
        resolve(str(plain), KIT)
