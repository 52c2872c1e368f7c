"""Our own repository for one branch of somebody's: what git is asked, and what it may be told.

    mirror = Mirror.opened(address_of("origin", Path.cwd()), "assay-runs", "git:origin", print)
    tree = mirror.looked_at()
    mirror.is_pushed(mirror.committed(tree, files, "message", is_first=False), tree)

It lies in the user's cache, is used by one process at a time, and may be deleted. The URL of the
remote, and what git needs to reach it, are given to git each time and written nowhere (address.py).
Addresses that run a program (`ext::`) are refused.
"""

import fcntl
import hashlib
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

from assay.errors import InputError
from assay.places import cache_folder
from assay.record.store.remotes.address import THEIRS, Address
from assay.record.store.remotes.git_process import GitProcess
from assay.record.store.remotes.remote import MOST_FILES
from assay.record.store.shared_files import is_shared, limit_of

_ENTRY = re.compile(rb"(\d{6}) (blob|commit|tree) ([0-9a-f]{40,64})\t(.+)", re.DOTALL)
_PARTIAL = {  # files are fetched when they are asked for
    f"remote.{THEIRS}.promisor": "true",
    f"remote.{THEIRS}.partialclonefilter": "blob:none",
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": THEIRS,
    "gc.autoDetach": "false",
}
MARK = "store.json"  # in the tree of each branch that Assay made, as in the folder of a store
_MOST_OF_MARK = 200  # bytes


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

    def __init__(self, git: GitProcess, branch: str, tell: Callable[[str], None]) -> None:
        self._git, self._where = git, git.where
        self._ref = f"refs/heads/{branch}"
        self._tree = Tree()
        self._lock = _locked(git.folder, git.where, tell)

    @classmethod
    def opened(
        cls, address: Address, branch: str, where: str, tell: Callable[[str], None]
    ) -> "Mirror":
        """Of a branch of a remote. `tell` is told what is waited for."""
        key = hashlib.sha256(f"{address.url}\0{branch}".encode()).hexdigest()[:24]
        folder = cache_folder() / "remotes" / f"{key}.git"
        mirror = cls(GitProcess(folder, address.variables, where), branch, tell)
        mirror._prepare()
        return mirror

    def close(self) -> None:
        self._lock.close()

    def looked_at(self) -> Tree:
        """The branch as it is now: its names, and no files, where the server can do that."""
        line = self._git("ls-remote", "--", THEIRS, self._ref).decode(errors="replace")
        commit = next((one.split("\t")[0] for one in line.splitlines() if "\t" in one), "")
        if not commit:
            self._tree = Tree()
        elif commit != self._tree.commit:
            wanted = f"+{self._ref}:refs/assay/seen"
            self._fetch("--filter=blob:none", "--", THEIRS, wanted)
            self._tree = self._read("refs/assay/seen")
        return self._tree

    def contents(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The content of each, cut one byte after what it may have at most."""
        objects = {name: self._tree.files[name] for name in names if name in self._tree.files}
        self._bring(set(objects.values()))
        text = "".join(f"{one}\n" for one in objects.values()).encode()
        with self._git.running("cat-file", "--batch", text=text) as git:
            for name in objects:
                yield name, self._blob(git.output, limit_of(name))

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
        push = ("push", "--porcelain", "--no-verify", lease, "--", THEIRS)
        done = self._git.tried(*push, f"{commit}:{self._ref}")
        if done.code == 0:
            return True
        tip = self._git("ls-remote", "--", THEIRS, self._ref).split(b"\t")[0].decode()
        said = (done.output + done.errors).decode(errors="replace")
        if tip != seen.commit or "cannot lock ref" in said or "stale info" in said:
            return False
        raise self._git.failed("push", said)

    def _prepare(self) -> None:
        folder = self._git.folder
        if not (folder / "HEAD").exists():
            folder.mkdir(exist_ok=True)
            self._git("init", "--bare", "--quiet", "--template=", str(folder))
            for key, value in _PARTIAL.items():
                self._git("config", key, value)

    def _fetch(self, *words: str, text: bytes = b"") -> None:
        quiet = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
        self._git("fetch", *quiet, *words, text=text)

    def _bring(self, objects: set[str]) -> None:
        """Fetch the files that we do not have yet, in one go."""
        if not self._tree.commit:
            return
        printed = self._git("rev-list", "--objects", "--missing=print", self._tree.commit)
        absent = {line[1:].decode() for line in printed.splitlines() if line.startswith(b"?")}
        if wanted := sorted(objects & absent):
            text = "".join(f"{one}\n" for one in wanted).encode()
            self._fetch("--filter=blob:none", "--stdin", "--", THEIRS, text=text)

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


def _named(entry: bytes) -> tuple[str, str]:
    """What a line of `ls-tree` names, and its object; no object: it is no plain file."""
    found = _ENTRY.fullmatch(entry)
    name = (found[4] if found else entry).decode(errors="replace")
    return name, found[3].decode() if found and found[1].startswith(b"100") else ""


def _locked(folder: Path, where: str, tell: Callable[[str], None]) -> IO[bytes]:
    """One process at a time talks through a mirror; the others wait for it, and say so."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        file = folder.with_suffix(".lock").open("ab")
    except OSError as error:
        what = f"cannot be used: {error.strerror}"
        raise InputError(what, where=str(folder), hint="set XDG_CACHE_HOME") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        tell(f"waiting for another `assay runs push` or `pull` of {where} to end")
        fcntl.flock(file, fcntl.LOCK_EX)
    return file
