"""A place where several machines keep one history: the methods that every kind has.

    remote.listed()                             # names of files and their sizes
    for name, data in remote.fetched(names): ...
    for name in remote.put([(name, data)]): ...  # each as soon as it is safe there

Nothing on a remote is ever changed or deleted, so no locks are needed: of two processes that put
the same name at once, one does, and the other finds it there. A file appears whole or not at all.
Anybody may have written what is read from a remote: `shared_files.problem_with` checks it first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

MOST_FILES = 1_000_000  # a listing that is longer is refused: it would only fill the memory


@dataclass(frozen=True)
class RemoteListing:
    """What lies on a remote."""

    files: Mapping[str, int | None]  # bytes by name; None: this kind of remote does not say
    strangers: int = 0  # files that Assay does not share; they are left alone
    closed_to: Callable[[str], str] = lambda name: ""  # why no file of this name can be put there


class Remote(Protocol):
    """One place. Every method raises `InputError` where the place cannot be used."""

    where: str  # its name in messages

    def listed(self) -> RemoteListing:
        """The shared files that are on the remote now, and how many others there are."""

    def fetched(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Each of the files with its content, at most one byte more than its kind may have."""

    def put(self, files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        """Keep files. Yields the name of each that was not there before, once it is safe."""

    def close(self) -> None:
        """Free the connection or the lock; no other method is called afterwards."""
