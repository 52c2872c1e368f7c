"""Addresses of remotes: a password is in no message, on no command line and in no file."""

import base64
import http.server
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from remotes import git
from stores import Step, filled

from assay.cli import invoke
from assay.record.store.remotes.address import address_of, without_secrets

SECRET = "s3cr3t"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    filled(Path("a"), {"b1": Step()}, runs=1)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("https://u:p@host/x.git#b", "https://***@host/x.git#b"),
        ("https://token@host/x.git", "https://***@host/x.git"),
        ("http://u:p@q@host:80/x", "http://***@host:80/x"),
        ("ssh://git@host/x.git", "ssh://git@host/x.git"),
        ("ssh://git:p@host/x.git", "ssh://git:***@host/x.git"),
        ("git@host:x.git", "git@host:x.git"),
        ("https://host/x@y.git", "https://host/x@y.git"),
        ("'https://u:p@h/a' and https://v:q@h/b", "'https://***@h/a' and https://***@h/b"),
    ],
)
def test_what_is_shown_of_a_url(written: str, shown: str) -> None:
    assert without_secrets(written) == shown


@pytest.mark.parametrize(
    "written",
    [
        f"git:https://u:{SECRET}@127.0.0.1:1/x.git",
        f"git:https://{SECRET}@127.0.0.1:1/x.git",
        f"git:ssh://u:{SECRET}@127.0.0.1:1/x.git#-x",
        f"https://u:{SECRET}@127.0.0.1:1/x.git",
        f"ssh://u:{SECRET}@host/x",
        f"ssh://u:{SECRET}@host:22/x",
    ],
)
@pytest.mark.parametrize("verb", ["push", "pull"])
def test_no_message_has_a_password(
    verb: str, written: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["runs", verb, written, "--store", "a"]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("error: ")
    assert SECRET not in told.out + told.err


class _Asked(http.server.BaseHTTPRequestHandler):
    """Serves one empty branch list to who has the password, and keeps what it was sent."""

    seen: list[str]

    def do_GET(self) -> None:
        sent = self.headers.get("Authorization", "")
        self.seen.append(f"{sent} {self.headers.get('X-Token', '')}")
        self.send_response(200 if sent else 401)
        self.send_header("WWW-Authenticate", 'Basic realm="x"')
        self.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
        self.end_headers()
        if sent:
            self.wfile.write(b"001e# service=git-upload-pack\n0000")
            self.wfile.write(b"0038" + b"0" * 40 + b" capabilities^{}\0agent\n"[:12] + b"0000")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    handler = type("Handler", (_Asked,), {"seen": []})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"127.0.0.1:{running.server_port}", handler.seen
        running.shutdown()
        thread.join()


@pytest.fixture
def command_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `git` that writes down how it is called, and how it calls `git-remote-http`."""
    lines, folder = tmp_path / "lines", tmp_path / "bin"
    folder.mkdir()
    real = subprocess.run(["git", "--exec-path"], capture_output=True, text=True).stdout.strip()
    for name, program in (("git", "git"), ("git-remote-http", f"{real}/git-remote-http")):
        script = folder / name
        script.write_text(f'#!/bin/sh\necho "$0 $*" >> {lines}\nexec {program} "$@"\n')
        script.chmod(0o755)
    path = os.environ["PATH"]
    (folder / "git").write_text(
        f'#!/bin/sh\necho "$0 $*" >> {lines}\nPATH={path}\nexport PATH\nexec git "$@"\n'
    )
    monkeypatch.setenv("PATH", f"{folder}:{path}")
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "traced"))  # the command lines of its helpers
    return lines


def test_a_password_reaches_the_server_and_no_command_line(
    server: tuple[str, list[str]], command_lines: Path, tmp_path: Path
) -> None:
    host, seen = server
    invoke(["runs", "pull", f"git:http://me:{SECRET}%40@{host}/x.git", "--store", "b"])
    assert f"Basic {base64.b64encode(f'me:{SECRET}@'.encode()).decode()} " in seen
    _check_nowhere(tmp_path, command_lines)


def test_a_token_of_the_repository_reaches_the_server_and_no_command_line(
    server: tuple[str, list[str]],
    command_lines: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As CI systems set it."""
    host, seen = server
    subprocess.run(["git", "init", "-q", "clone"], check=True)
    git(Path("clone"), "remote", "add", "origin", f"http://{host}/x.git")
    git(Path("clone"), "config", f"http.http://{host}/.extraheader", f"X-Token: {SECRET}")
    monkeypatch.chdir(tmp_path / "clone")
    command_lines.write_text("")
    (tmp_path / "traced").write_text("")
    invoke(["runs", "pull", "git:origin", "--store", "../b"])
    assert any(SECRET in one for one in seen)
    (tmp_path / "clone" / ".git" / "config").unlink()
    _check_nowhere(tmp_path, command_lines)


def _check_nowhere(folder: Path, command_lines: Path) -> None:
    traced = (folder / "traced").read_text()
    assert "git ls-remote" in command_lines.read_text().replace("-c fetch.fsckObjects=true ", "")
    assert "remote-http" in traced
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "traced":
            assert SECRET.encode() not in path.read_bytes(), path
    lines = [line for line in traced.splitlines() if "GIT_CONFIG" not in line]
    assert not [line for line in lines if SECRET in line]


def test_a_rewritten_url_is_rewritten_once(tmp_path: Path) -> None:
    """A token in `insteadOf` of the user's settings, as CI systems write it."""
    (tmp_path / ".gitconfig").write_text(
        f'[url "https://u:{SECRET}@host/"]\n\tinsteadOf = https://host/\n'
    )
    found = address_of("https://host/x.git", tmp_path)
    assert found.url == "https://host/x.git"
    assert found.variables["ASSAY_REMOTE_PASSWORD"] == SECRET
    words = ["git", "ls-remote", "--get-url", "theirs"]
    environment = {**os.environ, **found.variables}
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.stdout == "https://host/x.git\n"
