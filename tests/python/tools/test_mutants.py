"""Places are changed where the program runs, and a change that no test notices is told."""

from pathlib import Path

import mutants
import pytest

MODULE = Path("src/assay/judge/x.py")
CODE = '''\
"""A docstring with 1 number."""

LIMIT = 3


def small(value: int = 0) -> bool:
    """Whether it is."""
    return value < LIMIT and not value == 2


def told(value: int) -> str:
    return f"{value + 1} in all"
'''
TESTS = """\
from assay.judge.x import small


def test_small() -> None:
    assert [small(value) for value in (0, 1, 2)] == [True, True, False]
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (
        ("src/assay/__init__.py", ""),
        ("src/assay/judge/__init__.py", ""),
        (str(MODULE), CODE),
        ("tests/python/judge/test_x.py", TESTS),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    return tmp_path


def test_what_runs_is_changed_and_nothing_else(repository: Path) -> None:
    found = {(one.line, one.was, one.now) for one in mutants.mutants(MODULE)}
    assert found == {
        (3, "3", "4"),
        (6, "0", "1"),
        (8, "value < LIMIT and not value == 2", "(value < LIMIT or not value == 2)"),
        (8, "value < LIMIT", "(value <= LIMIT)"),
        (8, "not value == 2", "(value == 2)"),
        (8, "value == 2", "(value != 2)"),
        (8, "2", "3"),
    }


def test_a_change_that_no_test_notices_survives(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    survivors = list(mutants.survived(list(mutants.mutants(MODULE))))
    assert {one.was for one in survivors} == {"3", "0", "value < LIMIT"}
    assert f"survived {MODULE}:3: '3' became '4'" in capsys.readouterr().out
    assert (repository / MODULE).read_text() == CODE


def test_tests_that_fail_without_a_change_notice_nothing(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "tests/python/judge/test_x.py").write_text("def test_small(): raise ValueError")
    monkeypatch.setattr("sys.argv", ["mutants", str(MODULE)])
    assert mutants.main() == 2
    assert "fail where nothing is changed: tests/python/judge/test_x.py" in capsys.readouterr().out


def test_a_module_without_tests_is_not_changed(repository: Path) -> None:
    (repository / "tests/python/judge/test_x.py").unlink()
    assert list(mutants.mutants(MODULE)) == []


def test_numbers_held_for_a_whole_folder_are_asked_too(repository: Path) -> None:
    named = Path("tests/python/judge/test_x.py")
    assert mutants.tests_of(MODULE) == [named]
    fixed = named.with_name("test_fixed_numbers.py")
    (repository / fixed).touch()
    assert mutants.tests_of(MODULE) == [fixed, named]


def test_nothing_to_change_is_no_success(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / MODULE).write_text("")
    monkeypatch.setattr("sys.argv", ["mutants", str(MODULE)])
    assert mutants.main() == 2
    assert "nothing to change" in capsys.readouterr().out
