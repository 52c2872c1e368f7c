"""The packs of a store in an object store: what they hold, and runs out of them.

    packs = S3Packs(lambda name, at, size: ...)     # reads some bytes of an object
    packs.add_pack_index("20260101-..._20260201-..._0123456789abcdef.zip", 8_000_000)
    packs.read("20260101-120000.000000-1a2b")

A push puts none. Who copied a compacted store into a bucket by other means has some there; their
runs are read as those of a store here: the directory at the end, and of a run its own bytes.
"""

from collections.abc import Callable
from pathlib import Path

from assay.errors import InputError
from assay.record.store.pack_file import Entry, content_of_entry, index
from assay.record.store.packs import checked_range, pack_named
from assay.record.store.remotes.s3_errors import ServiceError

# Reads some bytes of a pack; its arguments: the pack's name, from where on, how many.
ReadPack = Callable[[str, int, int], bytes]


class S3Packs:
    """The packs below one prefix, for any number of threads."""

    def __init__(self, read: ReadPack) -> None:
        self._read = read
        self._places: dict[str, tuple[str, Entry]] = {}

    @property
    def sizes(self) -> dict[str, int]:
        """The bytes of the file of each run in the packs that were looked into, by run."""
        return {run: entry.size for run, (_, entry) in self._places.items()}

    def add_pack_index(self, name: str, size: int) -> bool:
        """Look into an object of this name and size; False: it is no pack, or a damaged one.

        Raises `ServiceError` where it could not be looked into.
        """
        pack = pack_named(Path(), name)
        if pack is None:
            return False
        try:
            found = index(lambda at, many: self._read(name, at, many), size, name)
            found = dict(checked_range(pack, found))
        except ServiceError:
            raise
        except InputError:
            return False
        self._places.update({run: (name, entry) for run, entry in found.items()})
        return True

    def has(self, run: str) -> bool:
        """Whether a run is in a pack that was looked into."""
        return run in self._places

    def bytes_of(self, run: str) -> int:
        """How many bytes are fetched to read a run."""
        return self._places[run][1].packed

    def read(self, run: str) -> bytes:
        """The bytes of a run's file; none where they are damaged."""
        name, entry = self._places[run]
        data = self._read(name, entry.start, entry.packed)
        try:
            return content_of_entry(entry, data, name)
        except InputError:
            return b""
