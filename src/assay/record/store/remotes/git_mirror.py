"""Assay's own repository for one branch of a remote one: what it reads there and what it pushes.

    mirror = GitMirror.opened(address_of("origin", Path.cwd()), "assay-runs", "git:origin", print)
    tree = mirror.current_tree()
    mirror.is_pushed(mirror.new_commit(tree, files, "message", is_first=False), tree)

It lies in the user's cache, is used by one process at a time, and may be deleted. Where git fails
in it, it is made anew, once: a power failure or a killed git leaves objects cut short and locks of
refs, for which the remote was once blamed at each later push. The URL of the remote, and what git
needs to reach it, are given to git each time and written nowhere (address.py). Addresses that run
a program (`ext::`) are refused (decision 44).
"""

import errno
import hashlib
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TypeVar

import msgspec
from msgspec.structs import replace

from assay.errors import InputError
from assay.places import cache_folder
from assay.record.store.remotes.address import THEIRS, Address
from assay.record.store.remotes.git_process import GitError, GitProcess
from assay.record.store.remotes.mirror_lock import MirrorLock, unusable_error
from assay.record.store.remotes.remote import MOST_FILES
from assay.record.store.shared_files import is_shared, size_limit_of

# A line of `git ls-tree -z`: mode, type, object, name.
_ENTRY = re.compile(rb"(\d{6}) (blob|commit|tree) ([0-9a-f]{40,64})\t(.+)", re.DOTALL)
_PARTIAL = {  # git's settings of a partial clone: a file is fetched when its content is needed
    f"remote.{THEIRS}.promisor": "true",
    f"remote.{THEIRS}.partialclonefilter": "blob:none",
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": THEIRS,
    "gc.autoDetach": "false",
}
MARK = "store.json"  # file in every branch that Assay made, by which it recognises its own
_WHOLE = "assay-whole"  # file in a mirror that has all files, for the server gives no single ones
_SEEN = "refs/assay/seen"  # the ref that holds the branch as it was last fetched
T = TypeVar("T")
_MOST_OF_MARK = 200  # bytes of `store.json` that are read
_NEW = ".new-"  # in the name of a mirror that is being made
_SETTLES_S = 0.2  # seconds in which who deletes a cache gets on
_TRIES = 5  # of making a mirror in a cache that is deleted meanwhile


class Tree(msgspec.Struct, frozen=True):
    """The files of the shared branch, at the commit that it had when it was looked at."""

    commit: str = ""  # hash of the branch's commit; empty: there is no such branch yet
    mark: bytes | None = None  # content of the branch's `store.json`; None: it has none
    # The git object of each shared file.
    files: Mapping[str, str] = msgspec.field(default_factory=dict)
    strangers: int = 0  # how many files there are that Assay does not write
    stranger: str = ""  # the name of the first file that Assay does not write


class BranchHistory(msgspec.Struct, frozen=True):
    """How many commits a branch has, and a file in any of them that Assay does not write."""

    commits: int
    foreign: str  # such a file; empty: there is none


class GitMirror:
    """Assay's own bare repository of one branch of one remote. Close it: others may wait for it.

    Its methods raise `InputError` where the remote cannot be reached or refuses.
    """

    def __init__(self, git: GitProcess, branch: str, tell: Callable[[str], None]) -> None:
        self._git, self._where, self._tell = git, git.where, tell
        self._outside = replace(git, folder=None)  # works even if the mirror is damaged
        self._ref = f"refs/heads/{branch}"
        self._tree, self._is_anew = Tree(), False
        self._locked = ""  # what git said of a lock, where that alone kept the last push out
        self._lock = MirrorLock(git.folder or Path(), git.where, tell)

    @classmethod
    def opened(
        cls, address: Address, branch: str, where: str, tell: Callable[[str], None]
    ) -> "GitMirror":
        """The mirror of a branch of a remote, made where there is none.

        `where` names the remote in messages, `tell` is called with what is waited for. Another
        process that uses the mirror is waited for. Raises `InputError` where it cannot be made.
        """
        key = hashlib.sha256(f"{address.url}\0{branch}".encode()).hexdigest()[:24]
        folder = cache_folder() / "remotes" / f"{key}.git"
        mirror = cls(GitProcess(folder, address.variables, where), branch, tell)
        if not folder.is_dir():
            mirror._make_anew(folder, lambda: None)
        return mirror

    def close(self) -> None:
        """Let other processes use the mirror."""
        self._lock.close()

    def current_tree(self) -> Tree:
        """The files of the branch as it is now: names only, without content, where the server can
        do that."""
        commit = self._newest_commit()
        if not commit:
            self._tree = Tree()
        elif commit != self._tree.commit:
            self._tree = self._with_healing(self._fetch_tree)
        return self._tree

    def contents(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Each file with its content, of which at most one byte more is given than is allowed."""
        left = {name: self._tree.files[name] for name in names if name in self._tree.files}
        while left:
            try:
                for name, data in self._contents(tuple(left.items())):
                    del left[name]
                    yield name, data
            except GitError as error:
                self._make_anew_after(error)

    def _contents(self, objects: Sequence[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
        self._fetch_missing({one for _, one in objects})
        text = "".join(f"{one}\n" for _, one in objects).encode()
        with self._git.start_command("cat-file", "--batch", text=text) as git:
            for name, _ in objects:
                yield name, self._blob(git.output, size_limit_of(name))

    def _blob(self, answers: IO[bytes], limit: int) -> bytes:
        """The next file that `cat-file --batch` gives: its header, its bytes, a newline."""
        words = answers.readline().split()
        if len(words) != 3 or words[1] != b"blob":
            raise GitError("a file of the branch could not be fetched", where=self._where)
        size = int(words[2])
        data = answers.read(min(size, limit + 1))
        rest = size + 1 - len(data)
        while rest > 0 and (more := answers.read(min(rest, 2**20))):
            rest -= len(more)
        if rest > 0:
            raise GitError("a file of the branch ends too early", where=self._where)
        return data

    def new_commit(
        self, tree: Tree, files: Mapping[str, bytes], message: str, *, is_first: bool
    ) -> str:
        """Make a commit with the files of `tree` and `files`, without a parent if it `is_first`;
        return its hash. It stays in the mirror until `is_pushed`."""
        return self._with_healing(lambda: self._make_commit(tree, files, message, is_first))

    def _make_commit(
        self, tree: Tree, files: Mapping[str, bytes], message: str, is_first: bool
    ) -> str:
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

    def history(self, tree: Tree) -> "BranchHistory":
        """How many commits the branch has, and whether any of them held a file that Assay does not
        write."""
        return self._with_healing(lambda: self._history(tree))

    def _history(self, tree: Tree) -> BranchHistory:
        commits = int(self._git("rev-list", "--count", tree.commit))
        words = ("log", "-m", "--root", "--no-renames", "--format=", "--name-only", "-z")
        names = self._git(*words, tree.commit, "--").decode(errors="replace").split("\0")
        foreign = (name for name in names if name and name != MARK and not is_shared(name))
        return BranchHistory(commits, next(foreign, ""))

    def is_pushed(self, commit: str, seen: Tree) -> bool:
        """Push a commit; False: the branch has changed since it was `seen`.

        Raises `InputError` where the remote refuses it.
        """
        lease = f"--force-with-lease={self._ref}:{seen.commit}"
        push = ("push", "--porcelain", "--no-verify", lease, "--", THEIRS)
        done = self._git.try_command(*push, f"{commit}:{self._ref}")
        if done.code == 0:
            return True
        said = (done.output + done.errors).decode(errors="replace")
        if self._git.try_command("cat-file", "-e", commit).code:
            # The mirror was deleted after the commit was made, and the commit with it.
            self._make_anew_after(self._git.error_of_command("push", said))
            return False
        is_changed, is_locked = self._newest_commit() != seen.commit, "cannot lock ref" in said
        self._locked = said if is_locked and not is_changed else ""
        if is_changed or is_locked or "stale info" in said:
            return False
        raise self._git.error_of_command("push", said)

    def check_lock(self) -> None:
        """Raise `InputError` where a lock on the remote kept the last push out, and nobody pushed
        meanwhile: a git that was killed there left it, and others wait for it for ever."""
        if self._locked:
            what = self._git.error_of_command("push", self._locked).what
            hint = "a lock that stays is of a git that was killed there: remove it"
            raise InputError(what, where=self._where, hint=hint)

    def _newest_commit(self) -> str:
        """The commit of the branch on the remote now; empty: there is no such branch."""
        line = self._outside("ls-remote", "--", THEIRS, self._ref).decode(errors="replace")
        return next((one.split("\t")[0] for one in line.splitlines() if "\t" in one), "")

    def _fetch_tree(self) -> Tree:
        self._check_refs()
        is_whole = self._git.folder is not None and (self._git.folder / _WHOLE).exists()
        some = "--no-filter" if is_whole else "--filter=blob:none"
        self._fetch(some, "--", THEIRS, f"+{self._ref}:{_SEEN}")
        return self._read(_SEEN)

    def _fetch_whole_tree(self) -> Tree:
        """Fetch all files now and whenever this mirror is used; a later question for some is
        refused by a server that has filters and speaks git's older protocol, as many do by ssh."""
        ((self._git.folder or Path()) / _WHOLE).touch()
        return self._fetch_tree()

    def _check_refs(self) -> None:
        """Raise `GitError` if a ref leads to a commit that cannot be read.

        In a partial clone git fetches what is missing by another git, which reads the refs first:
        a damaged commit made that one start the next, and so on, up to 8,000 processes. Only
        `rev-list --missing` leaves what is missing alone (git before 2.44 has no variable for it).
        """
        refs = self._git("for-each-ref", "--format=%(objectname)").decode().split()
        if refs:
            self._git("rev-list", "--missing=print", "--no-walk=unsorted", *refs)

    def _with_healing(self, do: Callable[[], T]) -> T:
        """What `do` returns. Where git fails in it, the mirror is made anew and `do` called once
        more."""
        try:
            return do()
        except GitError as error:
            self._make_anew_after(error)
            return do()

    def _make_anew_after(self, error: GitError) -> None:
        """Make the mirror anew after `error`; raise `error` if it was already made anew.

        Where that fails too, all files are asked for at once. Where even that fails, what the
        remote says is raised, and the old mirror stays.
        """
        folder = self._git.folder
        if self._is_anew or folder is None:
            raise error
        self._is_anew = True
        try:
            self._make_anew(folder, self._fetch_tree)
            done = f"{folder} was damaged, and what it keeps of {self._where} was fetched again"
        except GitError:
            self._make_anew(folder, self._fetch_whole_tree)
            done = f"{self._where} gives out no single files, so all were fetched to {folder}"
        self._tell(done)

    def _make_anew(self, folder: Path, fill: Callable[[], object]) -> None:
        """Make a new mirror, filled by `fill`, in place of the old one: whole or not at all.

        The cache may be deleted at any time, also while this makes the mirror, and its lock with
        it: it begins anew then.
        """
        for left in reversed(range(_TRIES)):
            self._lock.hold()
            fresh = folder.with_suffix(f"{_NEW}{secrets.token_hex(4)}")
            try:
                self._make_new_one(folder, fresh, fill)
            except OSError as error:
                if not left or error.errno not in (errno.ENOENT, errno.ENOTEMPTY):
                    raise unusable_error(folder, error) from None
            except GitError:
                if not left or _is_whole(fresh):
                    raise
            else:
                return

    def _make_new_one(self, folder: Path, fresh: Path, fill: Callable[[], object]) -> None:
        before = self._git
        self._git = replace(before, folder=fresh)
        try:
            for left in folder.parent.glob(f"{folder.stem}{_NEW}*"):
                _remove(left)  # of a process that was killed
            fresh.mkdir(parents=True)
            self._git("init", "--bare", "--quiet", "--template=", str(fresh))
            for key, value in _PARTIAL.items():
                self._git("config", key, value)
            fill()
            _remove(folder)
            fresh.rename(folder)
        finally:
            self._git = before

    def _fetch(self, *words: str, text: bytes = b"") -> None:
        quiet = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
        self._git("fetch", *quiet, *words, text=text)

    def _fetch_missing(self, objects: set[str]) -> None:
        """Fetch those of `objects` that the mirror lacks, all at once."""
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
            name, one = _name_and_object(entry)
            if one and name == MARK:
                mark = self._first_bytes(one)
            elif one and is_shared(name):
                files[name] = one
            else:
                strangers, first = strangers + 1, first or name
            if len(files) + strangers > MOST_FILES:
                what = f"holds more than {MOST_FILES} files, which no history does"
                raise InputError(what, where=self._where)
        return Tree(commit, mark, files, strangers, first)

    def _first_bytes(self, one: str) -> bytes:
        """The first bytes of a small file, which is fetched where it is not here yet."""
        if int(self._git("cat-file", "-s", one)) > _MOST_OF_MARK:
            return b"too large"
        return self._git("cat-file", "blob", one)


def _name_and_object(entry: bytes) -> tuple[str, str]:
    """The name in a line of `ls-tree`, and the hash of its content; empty: it is no plain file."""
    found = _ENTRY.fullmatch(entry)
    name = (found[4] if found else entry).decode(errors="replace")
    return name, found[3].decode() if found and found[1].startswith(b"100") else ""


def _is_whole(repository: Path) -> bool:
    """Whether a repository has all that git asks of one, and keeps it: nobody deletes it now."""
    time.sleep(_SETTLES_S)
    names = ("HEAD", "config", "objects", "refs")
    return all((repository / name).exists() for name in names)


def _remove(path: Path) -> None:
    """Remove a folder with all in it, or a file; a path without either is no error."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
