"""Our own repository for one branch of somebody's: what git is asked, and what it may be told.

    mirror = Mirror.opened("origin", "assay-runs", Path.cwd(), "git:origin")
    tree = mirror.looked_at()
    mirror.is_pushed(mirror.committed(tree, files, "message", is_first=False), tree)

It lies in the user's cache, is used by one process at a time, and may be deleted. Of the user's
repository the URL of a remote is read, and what git needs to reach it (`http.`, `credential.`...),
which is where CI systems keep their token. Addresses that run a program (`ext::`) are refused.
"""

import fcntl
import hashlib
import os
import re
import secrets
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

from assay.errors import InputError
from assay.places import cache_folder
from assay.record.store.remotes.remote import MOST_FILES
from assay.record.store.shared_files import is_shared, limit_of

_PROTOCOLS = "file:git:http:https:ssh"
_NEEDED = r"^(http|credential|url|core\.sshcommand|core\.gitproxy|protocol)\b"
_ENTRY = re.compile(rb"(\d{6}) (blob|commit|tree) ([0-9a-f]{40,64})\t(.+)", re.DOTALL)
_THEIRS = "theirs"  # the URL, which may hold a password, is given each time and written nowhere
_PARTIAL = {  # files are fetched when they are asked for
    f"remote.{_THEIRS}.promisor": "true",
    f"remote.{_THEIRS}.partialclonefilter": "blob:none",
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": _THEIRS,
    "gc.autoDetach": "false",
}
MARK = "store.json"  # in the tree of each branch that Assay made, as in the folder of a store
_MOST_OF_MARK = 200  # bytes
_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX")


@dataclass(frozen=True)
class Tree:
    """The branch as it was when it was looked at."""

    commit: str = ""  # empty: there is no such branch yet
    mark: bytes | None = None  # its `store.json`; None: nobody wrote one
    files: Mapping[str, str] = field(default_factory=dict)  # the object of each name
    strangers: int = 0
    stranger: str = ""  # the first of them


class History(NamedTuple):
    """The commits of a branch."""

    commits: int
    foreign: str  # a file that some commit had and that Assay does not write; empty: there is none


class Mirror:
    """A bare repository that knows one remote. Close it: others may wait for it."""

    def __init__(self, folder: Path, branch: str, where: str) -> None:
        self._folder, self._where = folder, where
        self._ref = f"refs/heads/{branch}"
        self._settings: tuple[str, ...] = ()
        self._tree = Tree()
        self._lock = _locked(folder)

    @classmethod
    def opened(cls, remote: str, branch: str, beside: Path, where: str) -> "Mirror":
        """Of a remote's URL, its path, or its name in the repository at `beside`."""
        url, settings = _reached(remote, beside)
        key = hashlib.sha256(f"{url}\0{branch}".encode()).hexdigest()[:24]
        mirror = cls(cache_folder() / "remotes" / f"{key}.git", branch, where)
        mirror._settings = ("-c", f"remote.{_THEIRS}.url={url}", *settings)
        mirror._prepare()
        return mirror

    def close(self) -> None:
        self._lock.close()

    def looked_at(self) -> Tree:
        """The branch as it is now: its names, and no files, where the server can do that."""
        line = self._git("ls-remote", "--", _THEIRS, self._ref).decode(errors="replace")
        commit = next((one.split("\t")[0] for one in line.splitlines() if "\t" in one), "")
        if not commit:
            self._tree = Tree()
        elif commit != self._tree.commit:
            wanted = f"+{self._ref}:refs/assay/seen"
            self._fetch("--filter=blob:none", "--", _THEIRS, wanted)
            self._tree = self._read("refs/assay/seen")
        return self._tree

    def contents(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The content of each, cut one byte after what it may have at most."""
        objects = {name: self._tree.files[name] for name in names if name in self._tree.files}
        self._bring(set(objects.values()))
        with self._running("cat-file", "--batch") as git:
            if git.stdin is None or git.stdout is None:
                raise AssertionError("both are pipes")
            for name, one in objects.items():
                git.stdin.write(f"{one}\n".encode())
                git.stdin.flush()
                yield name, self._blob(git.stdout, limit_of(name))
            git.stdin.close()

    def _blob(self, answers: IO[bytes], limit: int) -> bytes:
        """The next file that `cat-file --batch` gives: its header, its bytes, a newline."""
        words = answers.readline().split()
        if len(words) != 3 or words[1] != b"blob":
            raise InputError("a file of the branch could not be fetched", where=self._where)
        size = int(words[2])
        data = answers.read(min(size, limit + 1))
        rest = size + 1 - len(data)
        while rest > 0:
            rest -= len(answers.read(min(rest, 2**20))) or rest
        return data

    def committed(
        self, tree: Tree, files: Mapping[str, bytes], message: str, *, is_first: bool
    ) -> str:
        """A commit of what `tree` has and `files` besides; without a parent if it is first."""
        ref = f"refs/assay/made-{secrets.token_hex(8)}"
        said = message.encode()
        lines = [b"commit %b\ncommitter assay <assay@localhost> now\n" % ref.encode()]
        lines.append(b"data %d\n%b\n" % (len(said), said))
        if tree.commit and not is_first:
            lines.append(b"from %b\n" % tree.commit.encode())
        elif tree.commit:
            whole = self._git("rev-parse", "--verify", f"{tree.commit}^{{tree}}").strip()
            lines.append(b'M 040000 %b ""\n' % whole)
        for name, data in files.items():
            lines.append(b"M 100644 inline %b\ndata %d\n%b\n" % (name.encode(), len(data), data))
        self._git("fast-import", "--quiet", "--date-format=now", text=b"".join(lines))
        made = self._git("rev-parse", "--verify", ref).decode().strip()
        self._git("update-ref", "-d", ref)
        return made

    def history(self, tree: Tree) -> "History":
        """All that was ever done on the branch: a look at its commits, not at a message of one."""
        commits = int(self._git("rev-list", "--count", tree.commit))
        words = ("log", "-m", "--root", "--no-renames", "--format=", "--name-only", "-z")
        names = self._git(*words, tree.commit, "--").decode(errors="replace").split("\0")
        foreign = (name for name in names if name and name != MARK and not is_shared(name))
        return History(commits, next(foreign, ""))

    def is_pushed(self, commit: str, seen: Tree) -> bool:
        """False: the branch is not as it was seen any more. Raises `InputError`: it is refused."""
        lease = f"--force-with-lease={self._ref}:{seen.commit}"
        push = ("push", "--porcelain", "--no-verify", lease, "--", _THEIRS)
        done = self._run(*push, f"{commit}:{self._ref}")
        if done.returncode == 0:
            return True
        tip = self._git("ls-remote", "--", _THEIRS, self._ref).split(b"\t")[0].decode()
        said = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
        if tip != seen.commit or "cannot lock ref" in said or "stale info" in said:
            return False
        raise self._failed("push", said)

    def _prepare(self) -> None:
        if not (self._folder / "HEAD").exists():
            self._git("init", "--bare", "--quiet", "--template=", str(self._folder))
            for key, value in _PARTIAL.items():
                self._git("config", key, value)

    def _fetch(self, *words: str, text: bytes = b"") -> None:
        quiet = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
        self._git("-c", "fetch.fsckObjects=true", "fetch", *quiet, *words, text=text)

    def _bring(self, objects: set[str]) -> None:
        """Fetch the files that we do not have yet, in one go."""
        if not self._tree.commit:
            return
        printed = self._git("rev-list", "--objects", "--missing=print", self._tree.commit)
        absent = {line[1:].decode() for line in printed.splitlines() if line.startswith(b"?")}
        if wanted := sorted(objects & absent):
            text = "".join(f"{one}\n" for one in wanted).encode()
            self._fetch("--filter=blob:none", "--stdin", "--", _THEIRS, text=text)

    def _read(self, ref: str) -> Tree:
        commit = self._git("rev-parse", "--verify", f"{ref}^{{commit}}").decode().strip()
        files: dict[str, str] = {}
        strangers, first, mark = 0, "", None
        for entry in self._git("ls-tree", "-r", "-z", ref).split(b"\0")[:-1]:
            name, one = _named(entry)
            if one and name == MARK:
                mark = self._beginning(one)
            elif one and is_shared(name):
                files[name] = one
            else:
                strangers, first = strangers + 1, first or name
            if len(files) + strangers > MOST_FILES:
                what = f"holds more than {MOST_FILES} files, which no history does"
                raise InputError(what, where=self._where)
        return Tree(commit, mark, files, strangers, first)

    def _beginning(self, one: str) -> bytes:
        """The first bytes of a small file, which is fetched where it is not here yet."""
        if int(self._git("cat-file", "-s", one)) > _MOST_OF_MARK:
            return b"too large"
        return self._git("cat-file", "blob", one)

    def _git(self, *words: str, text: bytes = b"") -> bytes:
        done = self._run(*words, text=text)
        if done.returncode:
            verb = next(word for word in words if not word.startswith("-") and "=" not in word)
            raise self._failed(verb, done.stderr.decode(errors="replace"))
        return done.stdout

    def _run(self, *words: str, text: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            ["git", *self._settings, *words],
            input=text,
            capture_output=True,
            cwd=self._folder,
            env=_environment(self._folder),
            check=False,
        )

    def _running(self, *words: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            ["git", *self._settings, *words],
            cwd=self._folder,
            env=_environment(self._folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def _failed(self, verb: str, said: str) -> InputError:
        last = _telling([line.strip() for line in said.splitlines() if line.strip()])
        hint = f"is it the right repository, and may you {_NEEDS.get(verb, 'read')} it?"
        return InputError(f"git {verb} failed: {last}", where=self._where, hint=hint)


_NEEDS = {"push": "push to"}


def _named(entry: bytes) -> tuple[str, str]:
    """What a line of `ls-tree` names, and its object; no object: it is no plain file."""
    found = _ENTRY.fullmatch(entry)
    name = (found[4] if found else entry).decode(errors="replace")
    return name, found[3].decode() if found and found[1].startswith(b"100") else ""


def _telling(lines: Sequence[str]) -> str:
    """What says the reason: the verdict of a push and the server's words, else the first error."""
    refused = [line.rpartition("\t")[2] for line in lines if line.startswith("!")]
    if refused:
        server = [line.removeprefix("remote:").strip() for line in lines if line[:7] == "remote:"]
        return ", ".join([*refused, *(word for word in server if word)])
    errors = [line for line in lines if re.match(r"fatal:|error:", line)]
    return (errors or [*lines, "it said nothing"])[0].removeprefix("fatal: ")


def _locked(folder: Path) -> IO[bytes]:
    """One process at a time talks through a mirror; the others wait for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder.with_suffix(".lock").open("ab")
    except OSError as error:
        what = f"cannot be used: {error.strerror}"
        raise InputError(what, where=str(folder), hint="set XDG_CACHE_HOME") from None
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def _reached(remote: str, beside: Path) -> tuple[str, tuple[str, ...]]:
    """The URL of a remote, and the settings of the user's repository that reach it."""
    named = _asked(beside, "remote", "get-url", "--", remote)
    if named is None:
        is_path = "://" not in remote and ":" not in remote.partition("/")[0]
        return (str((beside / remote).resolve()) if is_path else remote), ()
    settings = _asked(beside, "config", "--local", "--includes", "-z", "--get-regexp", _NEEDED)
    pairs = [one.partition("\n") for one in (settings or "").split("\0") if one]
    words = tuple(word for key, _, value in pairs for word in ("-c", f"{key}={value}"))
    url = named.strip()
    is_path = "://" not in url and ":" not in url.partition("/")[0]
    return (str((beside / url).resolve()) if is_path else url), words


def _asked(folder: Path, *words: str) -> str | None:
    """What git says in the user's folder; None: it fails, or this is no repository."""
    try:
        done = subprocess.run(
            ["git", *words], cwd=folder, env=_environment(None), capture_output=True, check=False
        )
    except FileNotFoundError:
        hint = "install git, or share the history through a folder or ssh:"
        raise InputError("there is no git here", where=str(folder), hint=hint) from None
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None


def _environment(folder: Path | None) -> dict[str, str]:
    """Ours, without what a git hook sets; never a question at the terminal, no odd protocol."""
    kept = {name: value for name, value in os.environ.items() if name not in _HOOKS}
    ours = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": _PROTOCOLS}
    return {**kept, **ours, **({"GIT_DIR": str(folder)} if folder else {})}
