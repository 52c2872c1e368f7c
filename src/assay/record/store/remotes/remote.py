"""A place where several machines keep one history: the methods that every kind has.

    remote.listed()                             # names of files and their sizes
    for name, data in remote.fetched(names): ...
    for name in remote.put([(name, data)]): ...  # each as soon as it is safe there

Nothing on a remote is ever changed or deleted, so no locks are needed: of two processes that put
the same name at once, one does, and the other finds it there. A file appears whole or not at all.
Anybody may have written what is read from a remote: `shared_files.problem_with` checks it first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import msgspec

MOST_FILES = 1_000_000  # files of a remote at most: a longer listing would only fill the memory


class RemoteListing(msgspec.Struct, frozen=True):
    """The files on a remote that Assay shares, and how many others lie there."""

    files: Mapping[str, int | None]  # bytes by name; None: this kind of remote does not say
    strangers: int = 0  # how many files there are that Assay does not share; they are left alone
    # Gives the reason why no file of this name can be put on the remote; empty: one can.
    closed_to: Callable[[str], str] = lambda name: ""


class Remote(Protocol):
    """A place where a history is shared: a folder, a git branch or a folder reached by ssh.

    Every method raises `InputError` where it cannot be used.
    """

    where: str  # the remote's name in messages

    def listed(self) -> RemoteListing:
        """The shared files that are on the remote now, and how many others there are."""

    def fetched(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Each file with its content, of which at most one byte more is read than is allowed."""

    def put(self, files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        """Write files to the remote. Yields the name of each that was not there before, once it is
        safe."""

    def close(self) -> None:
        """Free the connection or the lock; no other method is called afterwards."""
