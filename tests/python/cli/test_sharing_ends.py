"""Sharing that is ended, or waits: no process stays, a lock and a silent server are said."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from remotes import PROGRAM, git_place
from silent_server import silent_server
from stores import Step, filled

from assay.cli import invoke
from assay.record.store.remotes.address import address_of
from assay.record.store.remotes.git_mirror import GitMirror

MARK = "ASSAY_TEST_MARK"  # in the environment of all that a push starts


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def port() -> Iterator[int]:
    with silent_server() as port:
        yield port


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_git_runs_on_after_a_pull_that_was_ended(
    number: signal.Signals, port: int, tmp_path: Path
) -> None:
    """`git-remote-http` waited for the server for ever, without a parent."""
    words = ["runs", "pull", f"git:http://127.0.0.1:{port}/x.git", "--store", "a"]
    environment = {**os.environ, MARK: str(tmp_path)}
    running = subprocess.Popen([sys.executable, "-c", PROGRAM, *words], env=environment)
    while not any("remote-http" in line for line in _marked(tmp_path)):
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(number)
    assert running.wait() == (-number if number == signal.SIGKILL else 128 + number)
    while list(_marked(tmp_path)):  # after a KILL the launcher needs a moment
        time.sleep(0.01)


def _marked(folder: Path) -> Iterator[str]:
    """The command lines of what runs with our mark."""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={folder}".encode() in (place / "environ").read_bytes().split(b"\0"):
                yield (place / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue  # it ended, or is somebody else's


def test_a_silent_git_server_is_given_up_and_the_limit_is_said(
    port: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.record.store.remotes.git_process.SILENT_S", 0.5)
    assert invoke(["runs", "pull", f"git:http://127.0.0.1:{port}/x.git", "--store", "a"]) == 2
    error = capsys.readouterr().err
    assert "git ls-remote was given up: the server said nothing for 0.5 s" in error
    assert len(error.splitlines()) == 1


def test_a_silent_ssh_server_is_given_up_and_the_limit_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.record.store.remotes.sftp.SILENT_S", 0.5)
    (tmp_path / "ssh").write_text("#!/bin/sh\nexec sleep 10000\n")
    (tmp_path / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert invoke(["runs", "pull", "ssh:host:runs", "--store", "a"]) == 2
    error = capsys.readouterr().err
    assert "the connection was given up: the server said nothing for 0.5 s" in error
    assert len(error.splitlines()) == 1


def test_who_waits_for_another_says_so(tmp_path: Path) -> None:
    filled(Path("a"), {"b1": Step()}, runs=1)
    place = git_place(tmp_path)
    path = place.written.removeprefix("git:")
    held = GitMirror.opened(address_of(path, tmp_path), "assay-runs", place.written, print)
    command = [sys.executable, "-c", PROGRAM, "runs", "push", place.written, "--store", "a"]
    waiting = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert waiting.stderr
    said = waiting.stderr.readline()
    assert said.startswith("assay: waiting for another `assay runs push` or `pull` of git:")
    held.close()
    assert waiting.wait() == 0
