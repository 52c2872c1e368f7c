"""A branch of a git repository as a remote: no server of our own, no account, works from CI.

    remote = GitRemote.written("origin#assay-runs", Path.cwd(), print)

The branch has no commit in common with any other, and no working tree is touched: a repository
of our own in the user's cache talks to the remote. Commits and folders are fetched, and of the
files only what is asked for, where the server can do that (`--filter`). A push is one commit, made
if the branch is as it was seen, else the branch is looked at again. At 64 commits a push makes one
without parents of all that is there: the branch keeps no more history than that, and all data.

A branch is ours where its tree has the mark of a store and nothing that Assay does not write; any
other is refused. Commits are replaced only where all of them, too, hold nothing else. What a
commit's message says is not asked: `git:origin#main` once became one commit, because the last
message of main claimed to be of a 63rd push.
"""

import contextlib
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from assay.errors import InputError, UsageError
from assay.record.store.folder import check_mark, mark
from assay.record.store.remotes.address import address_of, without_secrets
from assay.record.store.remotes.git_mirror import MARK, Mirror, Tree
from assay.record.store.remotes.remote import Listing

BRANCH = "assay-runs"
COMPACTED_EVERY = 64  # commits
_TRIES = 40  # of a push, each after somebody else was quicker
_BATCH_BYTES = 64 * 2**20
_MESSAGE = "Runs of assay\n"
_NEW_BRANCH = (
    "name a branch that is not there yet;"
    f' one that an older Assay made needs a {MARK} with {{"assay_store": 1}} in it'
)
_BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,199}")


class GitRemote:
    """One branch of one repository."""

    def __init__(self, mirror: Mirror, where: str) -> None:
        self.where, self._mirror = where, mirror

    @classmethod
    def written(cls, words: str, beside: Path, tell: Callable[[str], None]) -> "GitRemote":
        """REMOTE[#BRANCH]. Raises `UsageError`, `InputError`."""
        url, _, branch = words.partition("#")
        branch = branch or BRANCH
        where = without_secrets(f"git:{url}#{branch}")
        if not url or url.startswith("-") or not _BRANCH.fullmatch(branch):
            hint = "git:origin, git:URL or git:PATH, and #BRANCH if it is not assay-runs"
            raise UsageError("is no branch of a git repository", where=repr(where), hint=hint)
        return cls(Mirror.opened(address_of(url, beside), branch, where, tell), where)

    def listed(self) -> Listing:
        tree = self._looked_at()
        return Listing(dict.fromkeys(tree.files), tree.strangers)

    def fetched(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        return self._mirror.contents(names)

    def put(self, files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        for some in _batches(files):
            yield from self._put(some)

    def _put(self, waiting: dict[str, bytes]) -> Iterator[str]:
        for attempt in range(_TRIES):
            tree = self._looked_at()
            self._check_ours(tree)
            waiting = {name: data for name, data in waiting.items() if name not in tree.files}
            if not waiting or self._is_pushed(tree, waiting):
                yield from waiting
                return
            time.sleep(random.uniform(0, 0.05 * (attempt + 1)))  # several who wait, wait apart
        hint = "push again when fewer others do"
        raise InputError("others pushed each time before us", where=self.where, hint=hint)

    def close(self) -> None:
        self._mirror.close()

    def _looked_at(self) -> Tree:
        """The branch. Raises `InputError`: nothing says that it is a store."""
        tree = self._mirror.looked_at()
        if tree.commit and tree.mark is None:
            what = f"is a branch without a {MARK}, so it was not made by `assay runs push`"
            raise InputError(what, where=self.where, hint=_NEW_BRANCH)
        if tree.mark is not None:
            check_mark(tree.mark, f"{self.where}: {MARK}")
        return tree

    def _check_ours(self, tree: Tree) -> None:
        """That nothing lies on the branch which Assay did not write. Raises `InputError`."""
        if tree.strangers:
            what = (
                f"holds {tree.stranger!r}, which Assay does not write, so nothing is pushed to it"
            )
            hint = "remove it there, or name a branch that is not there yet"
            raise InputError(what, where=self.where, hint=hint)

    def _is_pushed(self, tree: Tree, files: dict[str, bytes]) -> bool:
        """False: the branch has moved meanwhile. Raises `InputError`: it cannot be pushed to."""
        if tree.mark is None:
            files = {MARK: mark(), **files}
        if self._is_long(tree):
            with contextlib.suppress(InputError):  # a protected branch keeps its commits
                commit = self._mirror.committed(tree, files, _MESSAGE, is_first=True)
                return self._mirror.is_pushed(commit, tree)
        commit = self._mirror.committed(tree, files, _MESSAGE, is_first=not tree.commit)
        return self._mirror.is_pushed(commit, tree)

    def _is_long(self, tree: Tree) -> bool:
        """Whether its commits are to be replaced by one, and all of them are ours."""
        if not tree.commit:
            return False
        history = self._mirror.history(tree)
        return (history.commits + 1) % COMPACTED_EVERY == 0 and not history.foreign


def _batches(files: Iterable[tuple[str, bytes]]) -> Iterator[dict[str, bytes]]:
    """Each becomes a commit, which is made in memory."""
    some: dict[str, bytes] = {}
    size = 0
    for name, data in files:
        some[name] = data
        size += len(data)
        if size > _BATCH_BYTES:
            yield some
            some, size = {}, 0
    if some:
        yield some
