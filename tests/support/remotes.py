"""Places to share a history, for tests: folders, git repositories, and an sshd on loopback."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SFTP_SERVER = "/usr/lib/openssh/sftp-server"
SSHD = shutil.which("sshd") or "/usr/sbin/sshd"
PROGRAM = "from assay.cli import main; main()"


@dataclass(frozen=True)
class Place:
    """A remote as written on a command line, and the folder it is in."""

    written: str
    folder: Path
    kind: str


def assay(*words: str, **more: object) -> "subprocess.CompletedProcess[str]":
    """Run `assay` in a process of its own."""
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, **more
    )


def git(folder: Path, *words: str, text: bytes = b"") -> str:
    who = ("-c", "user.name=n", "-c", "user.email=e")
    done = subprocess.run(
        ["git", "-C", folder, *who, *words], check=True, input=text, capture_output=True
    )
    return done.stdout.decode().strip()


def git_place(folder: Path, *, filters: bool = False) -> Place:
    """A bare repository; with `filters` its server can send single files, as large hosts do."""
    path = folder / "history.git"
    subprocess.run(["git", "init", "--bare", "-q", path], check=True)
    if filters:
        git(path, "config", "uploadpack.allowFilter", "true")
        return Place(f"git:file://{path}", path, "git")
    return Place(f"git:{path}", path, "git")


@contextmanager
def ssh_place(folder: Path, server: str = SFTP_SERVER) -> Iterator[Place]:
    """A folder behind an sshd started here; `ssh` in PATH is then a client that trusts it."""
    keys, shared = folder / "sshd", folder / "shared"
    keys.mkdir()
    shared.mkdir(exist_ok=True)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-qt", "ed25519", "-N", "", "-f", keys / name], check=True)
    port = _free_port()
    (keys / "config").write_text(_server(keys, port, server))
    (keys / "known").write_text(f"[127.0.0.1]:{port} {(keys / 'host.pub').read_text()}")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # sshd needs it when run as root
    running = subprocess.Popen([SSHD, "-D", "-e", "-f", keys / "config"], stderr=subprocess.DEVNULL)
    before = os.environ["PATH"]
    try:
        _wait_for(port)
        os.environ["PATH"] = f"{_client(keys)}:{before}"
        yield Place(f"ssh://127.0.0.1:{port}{shared}", shared, "ssh")
    finally:
        os.environ["PATH"] = before
        running.terminate()
        running.wait()


def _client(keys: Path) -> Path:
    """A folder with an `ssh` that uses the test's key and knows the host."""
    folder = keys / "bin"
    folder.mkdir()
    options: Sequence[str] = ("-F", "/dev/null", "-i", str(keys / "user"))
    known = ("-o", f"UserKnownHostsFile={keys / 'known'}", "-o", "IdentitiesOnly=yes")
    words = " ".join((*options, *known))
    (folder / "ssh").write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} {words} "$@"\n')
    (folder / "ssh").chmod(0o755)
    return folder


def _server(keys: Path, port: int, server: str) -> str:
    return f"""ListenAddress 127.0.0.1
Port {port}
HostKey {keys}/host
AuthorizedKeysFile {keys}/user.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
Subsystem sftp {server}
"""


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait_for(port: int) -> None:
    until_s = time.monotonic() + 60
    while time.monotonic() < until_s:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("sshd did not start")


def folder_with_assay(place: Path) -> Path:
    """A folder for PATH in which this `assay` is a program."""
    program = place / "bin" / "assay"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{PROGRAM}' \"$@\"\n")
    program.chmod(0o755)
    return program.parent
