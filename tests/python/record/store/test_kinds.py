"""What may lie at a path of a store."""

import os
from pathlib import Path

import pytest

from assay.record.store.kinds import is_folder, is_odd, is_plain, names_in


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "link to folder").symlink_to("folder")
    (tmp_path / "dangling").symlink_to("nothing")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "folder", "odd", "plain"),
    [
        ("folder", True, True, True),
        ("file", False, False, True),
        ("link", False, True, False),
        ("link to folder", False, True, False),
        ("dangling", False, True, False),
        ("pipe", False, True, False),
        ("nothing", False, False, True),
    ],
)
def test_each_kind(root: Path, name: str, *, folder: bool, odd: bool, plain: bool) -> None:
    path = root / name
    assert (is_folder(path), is_odd(path), is_plain(path)) == (folder, odd, plain)
    assert is_odd(path, is_there=True) is (odd or name == "nothing")


def test_names_in_a_folder(root: Path) -> None:
    assert sorted(names_in(root)) == sorted(path.name for path in root.iterdir())
    with pytest.raises(NotADirectoryError):
        names_in(root / "file")
