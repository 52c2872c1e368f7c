"""The rule for one kind of value sees a dataclass wherever it holds no options."""

from pathlib import Path

import pytest
import value_classes

OPTIONS = "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass {}:\n    x: int\n"


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return Path(name)


def lines_of(folder: Path, name: str, text: str) -> list[str]:
    return list(value_classes.other_values(written(folder, name, text)))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "from dataclasses import dataclass\n",
        "import dataclasses\n",
        "def later() -> None:\n    from dataclasses import field\n",
    ],
)
def test_a_dataclass_outside_the_command_line(tmp_path: Path, text: str) -> None:
    (line,) = lines_of(tmp_path, "src/assay/judge/x.py", text)
    assert "msgspec.Struct" in line


def test_the_command_line_has_options_of_that_kind_and_nothing_else(tmp_path: Path) -> None:
    assert lines_of(tmp_path, "src/assay/cli/x.py", OPTIONS.format("RunOptions")) == []
    (line,) = lines_of(tmp_path, "src/assay/cli/x.py", OPTIONS.format("Gate"))
    assert line.startswith("src/assay/cli/x.py:3: Gate is no Options")


def test_structs_named_tuples_and_other_folders_are_let_be(tmp_path: Path) -> None:
    named = "import msgspec\nfrom typing import NamedTuple\n"
    assert lines_of(tmp_path, "src/assay/x.py", named) == []
    assert lines_of(tmp_path, "tests/x.py", OPTIONS.format("Fake")) == []


def test_a_struct_sets_no_field_that_it_does_not_declare(tmp_path: Path) -> None:
    """mypy takes such an assignment for a declaration, and calling it fails."""
    sets = "    known: int\n    def look(self) -> None:\n        self.known, self.{} = 1, 2\n"
    for base, name, found in (
        ("msgspec.Struct", "seen", 1),
        ("msgspec.Struct", "known", 0),
        ("Exception", "seen", 0),
    ):
        path = written(tmp_path, "src/assay/x.py", f"class A({base}):\n{sets.format(name)}")
        assert len(list(value_classes.undeclared_fields(path))) == found
