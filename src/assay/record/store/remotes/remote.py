"""A place where several machines keep one history: what every kind of it can do.

    remote.listed()                             # names of files and their sizes
    for name, data in remote.fetched(names): ...
    for name in remote.put([(name, data)]): ...  # each as soon as it is safe there

Nothing on a remote is ever changed or deleted, so nobody has to wait for anybody: of two who put
the same name at once, one does, and the other finds it there. A file appears whole or not at all.
What is read from a remote may be anybody's: `shared_files.problem_with` looks at it first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

MOST_FILES = 1_000_000  # a listing that is longer is refused: it would only fill the memory


@dataclass(frozen=True)
class Listing:
    """What lies on a remote."""

    files: Mapping[str, int | None]  # by name the bytes; None: this kind of remote does not say
    strangers: int = 0  # files that are none of ours; they are left alone
    closed_to: Callable[[str], str] = lambda name: ""  # why no file of this name can be put there


class Remote(Protocol):
    """One place. Every method raises `InputError` where the place cannot be used."""

    where: str  # as messages name it

    def listed(self) -> Listing:
        """All that is there now."""

    def fetched(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The content of each, at most one byte more than a file of its kind may have."""

    def put(self, files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        """Keep files. Gives the name of each that was not there before, once it is safe."""

    def close(self) -> None:
        """Nothing is asked any more."""
