import ast
import errno
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from assay.errors import InputError
from assay.scratch import (
    is_os_lab_abandoned,
    remove_abandoned_folders,
    scratch_file,
    scratch_folder,
)

HOLDS = """
import sys
from assay.scratch import scratch_file
with scratch_file() as path:
    path.touch()
    print(path.parent, flush=True)
    sys.stdin.read()
"""


def test_a_file_is_nobody_elses_and_goes_after_its_use() -> None:
    with scratch_file() as one, scratch_file() as two:
        one.write_text("1")
        assert not two.exists()
        assert len(str(one)) == len(str(two))
    assert not one.exists()
    assert one.parent.exists()


def test_the_folder_goes_with_the_process() -> None:
    code = (
        "from assay.scratch import scratch_file\n"
        "with scratch_file() as path:\n  path.touch(); print(path.parent)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("assay-")
    assert not folder.exists()


def test_a_folder_of_its_own_goes_with_all_that_is_in_it(tmp_path: Path) -> None:
    with scratch_folder() as one, scratch_folder(tmp_path) as near:
        (one / "a").mkdir()
        assert near.is_relative_to(tmp_path)
    assert not one.exists()
    assert not near.exists()


def test_a_live_ones_is_left_alone_and_a_killed_ones_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    words = [sys.executable, "-c", HOLDS]
    live = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert live.stdout
    folder = Path(live.stdout.readline().strip())
    (tmp_path / "assay-scratch-mine").mkdir()  # of the user: no name that we give
    remove_abandoned_folders()
    assert (folder / "0000000000.json").exists()
    live.send_signal(signal.SIGKILL)
    live.communicate()
    assert folder.exists()
    remove_abandoned_folders()
    assert [one.name for one in tmp_path.iterdir()] == ["assay-scratch-mine"]


def test_what_the_os_lab_left_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.scratch._SHARED_MEMORY", str(tmp_path))
    monkeypatch.setattr("assay.scratch._temporary_folders", lambda: ())
    assert not is_os_lab_abandoned()
    (tmp_path / "assay-os-a1B2c3").mkdir()
    assert is_os_lab_abandoned()


def test_temporary_files_are_made_nowhere_else() -> None:
    """Else a kill leaves them for ever."""
    users = {
        path.relative_to(ROOT / "src" / "assay").as_posix()
        for path in (ROOT / "src" / "assay").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Import) and "tempfile" in {one.name for one in node.names}
    }
    # `overhead` writes its folder into the undo journal instead. A copy of a program must lie
    # beside it: it is locked as a folder here is, and removed by the next copy there.
    copies = "measure/profile/identity/bare_copy.py"
    assert users == {"scratch.py", "workflows/overhead/workflow.py", copies}


def test_a_folder_beside_what_is_gone_is_an_error_and_not_tried_for_ever(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder for temporary files can be made"):
        scratch_folder(tmp_path / "gone").__enter__()


def test_a_folder_that_cannot_be_locked_is_not_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(InputError, match="No locks available"):
        scratch_folder(tmp_path).__enter__()
    assert list(tmp_path.iterdir()) == []
