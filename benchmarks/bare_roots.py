"""Bare roots of Debian's releases, made by debootstrap, and commands that run inside (chroot).

    root = made_root("trixie", folder)          # raises NoRootError, which says why
    root.run("python3 --version").stdout

Needs root. Where packages come from is this host's business: the mirror of its apt and its settings
of pip are used as they are. With ASSAY_ROOTS_AT=FOLDER a root is kept there for another time.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

SUITES = ("bullseye", "bookworm", "trixie", "forky", "sid")
_PACKAGES = "python3,python3-venv,ca-certificates"
_SCRIPT = Path("/usr/share/debootstrap/scripts/sid")  # what makes suites that have no name here yet
_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
_SETTINGS = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/root/.config/pip", _CERTIFICATES)
_INHERITED = re.compile(r"PIP_(?!CACHE_DIR|FIND_LINKS).*|.*_(?:proxy|PROXY)|SSL_CERT_FILE")
_LONGEST_S = 1800.0
# Mounts are of a namespace of their own, and processes too: nothing outlives the command.
_CHROOT = 'mount -t proc proc "$0/proc"; exec chroot "$0" sh -c "$1"'
_ENTER = (
    *("unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"),
    *("sh", "-ec", 'for d in dev sys; do mount --rbind /$d "$0/$d"; done; ' + _CHROOT),
)


class NoRootError(Exception):
    """A root that cannot be had here, and why."""


class Root(NamedTuple):
    """A root that was made."""

    suite: str
    folder: Path

    def run(self, command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """A command of its shell, with nothing of our environment but how packages are reached."""
        inherited = {name: one for name, one in os.environ.items() if _INHERITED.fullmatch(name)}
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        own = {"HOME": "/root", "LANG": "C.UTF-8", "PATH": path}
        return subprocess.run(
            [*_ENTER, str(self.folder), command],
            env=inherited | own | variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_LONGEST_S,
            check=False,
        )

    def must(self, command: str) -> str:
        """What a command prints, which must succeed."""
        done = self.run(command)
        if done.returncode:
            raise RuntimeError(f"{self.suite}: {command}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def files(self) -> set[str]:
        """Every file in it, by its path inside."""
        return {
            str(Path("/", os.path.relpath(place, self.folder), name))
            for place, _, names in os.walk(self.folder)
            for name in names
        }


def made_root(suite: str, folder: Path) -> Root:
    """A new root in a folder, or a copy of the one that is kept. Raises `NoRootError`."""
    kept = os.environ.get("ASSAY_ROOTS_AT")
    place = folder / suite
    if not kept:
        _debootstrap(suite, place)
    else:
        pattern = Path(kept) / suite
        if not pattern.exists():
            _debootstrap(suite, pattern)
        subprocess.run(["cp", "-a", str(pattern), str(place)], check=True)
    for one in _SETTINGS:
        _copy_into(Path(one), place)
    # How this host's apt fetches: a mirror of an earlier day has expired, as a rule.
    told = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True).stdout
    fetched = [one for one in told.splitlines() if re.match(r'Acquire::.* "[^"]', one)]
    (place / "etc/apt/apt.conf.d/99host").write_text("".join(f"{one}\n" for one in fetched))
    return Root(suite, place)


def _debootstrap(suite: str, place: Path) -> None:
    if os.geteuid() != 0:
        raise NoRootError("a bare root can only be made by root")
    if shutil.which("debootstrap") is None:
        raise NoRootError("debootstrap is not here: apt-get install debootstrap")
    place.parent.mkdir(parents=True, exist_ok=True)
    made = place.with_suffix(".making")
    command = ["debootstrap", "--variant=minbase", f"--include={_PACKAGES}", suite, str(made)]
    script = [] if _SCRIPT.with_name(suite).exists() else [str(_SCRIPT)]
    done = subprocess.run(
        [*command, _mirror(), *script],
        capture_output=True,
        text=True,
        timeout=_LONGEST_S,
        check=False,
    )
    if done.returncode:
        shutil.rmtree(made, ignore_errors=True)
        last = [*(done.stdout + done.stderr).strip().splitlines(), "debootstrap said nothing"][-2:]
        raise NoRootError(re.sub(r"https?://\S+", "its mirror", last[0]))
    made.rename(place)


def _mirror() -> str:
    """Where this host has Debian's packages from."""
    asked = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(COMPONENT) $(RELEASE) $(REPO_URI)"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    found = re.search(r"(?m)^Debian main [a-z]+ (\S+)$", told)
    if not found:
        raise NoRootError("this host's apt has no source of Debian")
    return found[1]


def _copy_into(path: Path, root: Path) -> None:
    if not path.exists():
        return
    there = root / path.relative_to("/")
    there.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, there, dirs_exist_ok=True)
    else:
        there.unlink(missing_ok=True)
        shutil.copy(path, there)
