"""The packs of a store on another machine, read over SFTP: what they hold, and runs out of them.

    packs = SshPacks(connection, b"/srv/assay/packs")
    packs.add_pack_index("20260101-..._20260201-..._0123456789abcdef.zip", 8_000_000)
    packs.sizes                             # the bytes of the file of each run
    packs.read(["20260101-120000.000000-1a2b"])

A store that was compacted there is read as one here is: the directory at the end of each pack is
fetched to list it, and of a run its own bytes only.
"""

from collections.abc import Sequence
from pathlib import Path

from assay.errors import InputError
from assay.record.store.pack_file import Entry, content_of_entry, index
from assay.record.store.packs import checked_range, pack_named
from assay.record.store.remotes import sftp
from assay.record.store.remotes.sftp import Sftp


class SshPacks:
    """The packs in one folder of another machine."""

    def __init__(self, connection: Sftp, folder: bytes) -> None:
        self._sftp, self._folder = connection, folder
        self._places: dict[str, tuple[str, Entry]] = {}

    @property
    def sizes(self) -> dict[str, int]:
        """The bytes of the file of each run in the packs that were looked into, by run."""
        return {run: entry.size for run, (_, entry) in self._places.items()}

    def add_pack_index(self, name: str, size: int) -> bool:
        """Look into a file of this name and size; False: it is no pack, or a damaged one."""
        pack = pack_named(Path(), name)
        if pack is None:
            return False
        (opened,) = self._sftp.replies_to([sftp.open_for_reading(self._path_of(name))])
        try:
            found = index(lambda at, size: self._bytes(opened.handle, at, size), size, name)
            found = dict(checked_range(pack, found))
        except InputError:
            return False
        finally:
            self._sftp.replies_to([sftp.close(opened.handle)])
        self._places.update({run: (name, entry) for run, entry in found.items()})
        return True

    def has(self, run: str) -> bool:
        """Whether a run is in a pack that was looked into."""
        return run in self._places

    def bytes_of(self, run: str) -> int:
        """How many bytes are fetched to read a run."""
        return self._places[run][1].packed

    def read(self, runs: Sequence[str]) -> list[bytes]:
        """The bytes of the files of these runs; none of one that is damaged, or gone by now."""
        names = list(dict.fromkeys(self._places[run][0] for run in runs))
        opened = self._sftp.replies_to(
            [sftp.open_for_reading(self._path_of(name)) for name in names]
        )
        handles = {
            name: reply.handle
            for name, reply in zip(names, opened, strict=True)
            if reply.state == sftp.OK
        }
        data = [self._content(run, handles) for run in runs]
        self._sftp.replies_to([sftp.close(handle) for handle in handles.values()])
        return data

    def _content(self, run: str, handles: dict[str, bytes]) -> bytes:
        name, entry = self._places[run]
        if name not in handles:
            return b""
        try:
            return content_of_entry(
                entry, self._bytes(handles[name], entry.start, entry.packed), name
            )
        except InputError:
            return b""

    def _bytes(self, handle: bytes, at: int, size: int) -> bytes:
        places = range(at, at + size, sftp.CHUNK)
        pieces = [sftp.read(handle, place, min(sftp.CHUNK, at + size - place)) for place in places]
        return b"".join(reply.data for reply in self._sftp.replies_to(pieces))

    def _path_of(self, name: str) -> bytes:
        return self._folder + b"/" + name.encode()
