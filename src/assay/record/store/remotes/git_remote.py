"""A branch of a git repository as a remote: no server of our own, no account, works from CI.

    remote = GitRemote.written("origin#assay-runs", Path.cwd())

The branch has no commit in common with any other, and no working tree is touched: a repository
of our own in the user's cache talks to the remote. Commits and folders are fetched, and of the
files only what is asked for, where the server can do that (`--filter`). A push is one commit, made
if the branch is as it was seen, else the branch is looked at again. Each 64th push makes a commit
without parents of all that is there: the branch keeps no more history than that, and all data.
"""

import contextlib
import random
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assay.errors import InputError, UsageError
from assay.record.store.remotes.git_mirror import Mirror, Tree
from assay.record.store.remotes.remote import Listing

BRANCH = "assay-runs"
COMPACTED_EVERY = 64  # pushes
_TRIES = 40  # of a push, each after somebody else was quicker
_BATCH_BYTES = 64 * 2**20
_PUSHES = re.compile(r"^assay-pushes: (\d{1,9})$", re.MULTILINE)
_BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,199}")


class GitRemote:
    """One branch of one repository."""

    def __init__(self, mirror: Mirror, where: str) -> None:
        self.where, self._mirror = where, mirror

    @classmethod
    def written(cls, words: str, beside: Path) -> "GitRemote":
        """REMOTE[#BRANCH]. Raises `UsageError`, `InputError`."""
        url, _, branch = words.partition("#")
        branch = branch or BRANCH
        where = f"git:{url}#{branch}"
        if not url or url.startswith("-") or not _BRANCH.fullmatch(branch):
            hint = "git:origin, git:URL or git:PATH, and #BRANCH if it is not assay-runs"
            raise UsageError("is no branch of a git repository", where=repr(where), hint=hint)
        return cls(Mirror.opened(url, branch, beside, where), where)

    def listed(self) -> Listing:
        tree = self._mirror.looked_at()
        return Listing(dict.fromkeys(tree.files), tree.strangers)

    def fetched(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        return self._mirror.contents(names)

    def put(self, files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        for some in _batches(files):
            yield from self._put(some)

    def _put(self, waiting: dict[str, bytes]) -> Iterator[str]:
        for attempt in range(_TRIES):
            tree = self._mirror.looked_at()
            waiting = {name: data for name, data in waiting.items() if name not in tree.files}
            if not waiting or self._is_pushed(tree, waiting):
                yield from waiting
                return
            time.sleep(random.uniform(0, 0.05 * (attempt + 1)))  # several who wait, wait apart
        hint = "push again when fewer others do"
        raise InputError("others pushed each time before us", where=self.where, hint=hint)

    def close(self) -> None:
        self._mirror.close()

    def _is_pushed(self, tree: Tree, files: dict[str, bytes]) -> bool:
        """False: the branch has moved meanwhile. Raises `InputError`: it cannot be pushed to."""
        pushes = _pushes(tree.message) + 1
        if tree.commit and pushes % COMPACTED_EVERY == 0:
            with contextlib.suppress(InputError):  # a protected branch keeps its commits
                commit = self._mirror.committed(tree, files, _message(0), is_first=True)
                return self._mirror.is_pushed(commit, tree)
        commit = self._mirror.committed(tree, files, _message(pushes), is_first=not tree.commit)
        return self._mirror.is_pushed(commit, tree)


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


def _pushes(message: str) -> int:
    """How many there were since all was made one commit, as the last one says."""
    found = _PUSHES.search(message)
    return int(found[1]) if found else 0


def _message(pushes: int) -> str:
    return f"Runs of assay\n\nassay-pushes: {pushes}\n"
