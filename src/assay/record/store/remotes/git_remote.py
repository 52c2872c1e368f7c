"""A branch of a git repository as a remote, which needs no server and works from CI.

    remote = GitRemote.written("origin#assay-runs", Path.cwd(), print)

The branch has no commit in common with any other, and no working tree is touched: a repository
of Assay's own in the user's cache talks to the remote. Commits and folders are fetched, and of the
files only those needed, where the server can do that (`--filter`). A push is one commit, made
if the branch is as it was seen; else the branch is looked at again. Every 64th push replaces all
commits by one without parents: the branch keeps all data and no longer history than that.

A branch is used where its tree has the mark of a store and nothing that Assay does not write; any
other is refused. Commits are replaced only where none of them ever held anything else. The
messages of commits do not count: `git:origin#main` once became one commit, because the last
message of main claimed to be of a 63rd push (decision 44).
"""

import contextlib
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from assay.errors import InputError, UsageError
from assay.record.store.mark import check_mark, encoded_mark
from assay.record.store.remotes.address import address_of, without_secrets
from assay.record.store.remotes.git_mirror import MARK, GitMirror, Tree
from assay.record.store.remotes.remote import RemoteListing

BRANCH = "assay-runs"
COMPACTED_EVERY = 64  # after so many commits the branch's commits are replaced by one (decision 44)
_TRIES = 40  # attempts of a push; each fails where somebody else pushed just before
_BATCH_BYTES = 64 * 2**20  # bytes of files in one commit, about
_MESSAGE = "Runs of assay\n"
_NEW_BRANCH = (
    "name a branch that is not there yet;"
    f' one that an older Assay made needs a {MARK} with {{"assay_store": 1}} in it'
)
_BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,199}")  # names of branches that are accepted


class GitRemote:
    """A shared history in one branch of one git repository. Its methods are those of `Remote`."""

    def __init__(self, mirror: GitMirror, where: str) -> None:
        self.where, self._mirror = where, mirror

    @classmethod
    def written(cls, words: str, beside: Path, tell: Callable[[str], None]) -> "GitRemote":
        """The remote written as REMOTE[#BRANCH]; REMOTE may be a name in the repository `beside`.

        Raises `UsageError` where it is written otherwise, `InputError` where it cannot be used.
        """
        url, _, branch = words.partition("#")
        branch = branch or BRANCH
        where = without_secrets(f"git:{url}#{branch}")
        if not url or url.startswith("-") or not _BRANCH.fullmatch(branch):
            hint = "git:origin, git:URL or git:PATH, and #BRANCH if it is not assay-runs"
            raise UsageError("is no branch of a git repository", where=repr(where), hint=hint)
        return cls(GitMirror.opened(address_of(url, beside), branch, where, tell), where)

    def listed(self) -> RemoteListing:
        """The shared files of the branch as it is now; git does not say their sizes."""
        tree = self._checked_tree()
        return RemoteListing(dict.fromkeys(tree.files), tree.strangers)

    def fetched(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Each of the files with its content, by the branch as it was listed."""
        return self._mirror.contents(names)

    def put(self, files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        """Push files in commits of some 64 MB; yields the names of those that are pushed."""
        for some in _batches(files):
            yield from self._put(some)

    def _put(self, waiting: dict[str, bytes]) -> Iterator[str]:
        """Push files, again each time that somebody else pushed just before; yield the names of
        those that are new."""
        commits: set[str] = set()
        for attempt in range(_TRIES):
            tree = self._checked_tree()
            commits.add(tree.commit)
            self._check_ours(tree)
            waiting = {name: data for name, data in waiting.items() if name not in tree.files}
            if not waiting or self._is_pushed(tree, waiting):
                yield from waiting
                return
            time.sleep(random.uniform(0, 0.05 * (attempt + 1)))  # so that not all retry at once
        if len(commits) == 1:
            self._mirror.check_lock()
        hint = "push again when fewer others do"
        raise InputError("others pushed each time before us", where=self.where, hint=hint)

    def close(self) -> None:
        """Let other processes use the mirror."""
        self._mirror.close()

    def _checked_tree(self) -> Tree:
        """The branch as it is now. Raises `InputError` where it lacks the mark of a store."""
        tree = self._mirror.current_tree()
        if tree.commit and tree.mark is None:
            what = f"is a branch without a {MARK}, so it was not made by `assay runs push`"
            raise InputError(what, where=self.where, hint=_NEW_BRANCH)
        if tree.mark is not None:
            check_mark(tree.mark, f"{self.where}: {MARK}")
        return tree

    def _check_ours(self, tree: Tree) -> None:
        """Raise `InputError` where the branch holds a file that Assay does not write."""
        if tree.strangers:
            what = (
                f"holds {tree.stranger!r}, which Assay does not write, so nothing is pushed to it"
            )
            hint = "remove it there, or name a branch that is not there yet"
            raise InputError(what, where=self.where, hint=hint)

    def _is_pushed(self, tree: Tree, files: dict[str, bytes]) -> bool:
        """Push files as one commit; False: the branch has changed meanwhile.

        Raises `InputError` where it cannot be pushed to.
        """
        if tree.mark is None:
            files = {MARK: encoded_mark(), **files}
        if self._is_long(tree):
            with contextlib.suppress(InputError):  # a protected branch keeps its commits
                commit = self._mirror.new_commit(tree, files, _MESSAGE, is_first=True)
                return self._mirror.is_pushed(commit, tree)
        commit = self._mirror.new_commit(tree, files, _MESSAGE, is_first=not tree.commit)
        return self._mirror.is_pushed(commit, tree)

    def _is_long(self, tree: Tree) -> bool:
        """Whether the branch's commits should be replaced by one: they are many, and none held
        files of others."""
        if not tree.commit:
            return False
        history = self._mirror.history(tree)
        return (history.commits + 1) % COMPACTED_EVERY == 0 and not history.foreign


def _batches(files: Iterable[tuple[str, bytes]]) -> Iterator[dict[str, bytes]]:
    """The files in batches of about 64 MB: each becomes one commit, which is made in memory."""
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
