"""A folder that several machines can reach, such as a network mount, as a remote.

    remote = FolderRemote(Path("/mnt/team/assay"))

It is a store like any other: `assay runs --store FOLDER` lists it. The folder must be there, and
empty the first time, so that the mount point of something that is not mounted is not filled.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assay.errors import InputError
from assay.record.store.folder import Folder
from assay.record.store.remotes.remote import RemoteListing
from assay.record.store.shared_files import SharedFiles, run_of


class FolderRemote:
    """A shared history as a store in a folder, such as a mount. Raises `InputError` where there is
    no such folder."""

    def __init__(self, root: Path) -> None:
        self.where = str(root)
        self._root = root
        if not root.is_dir():
            what = "is no folder, so nothing can be shared there"
            raise InputError(what, where=self.where, hint="make it, or mount what belongs there")

    def listed(self) -> RemoteListing:
        """The shared files of the store in the folder; none before the first push."""
        folder = self._store_if_there()
        if folder is None:
            return RemoteListing({})
        files = SharedFiles(folder)
        damaged = sum(bool(folder.packs.reason_left_out(pack)) for pack in folder.packs.all())
        return RemoteListing(
            files.listed(), len(folder.foreign_entries()) + damaged, files.reason_not_writable
        )

    def fetched(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Each of the files with its content."""
        folder = self._store_if_there()
        if folder is not None:
            yield from ((name, _content(folder, name)) for name in names)

    def put(self, files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        """Write files into the shared store; yields the name of each new one, once it is safe."""
        yield from SharedFiles(Folder.opened_or_made(self._root)).add(files)

    def close(self) -> None:
        pass  # nothing is open

    def _store_if_there(self) -> Folder | None:
        """The store in the folder; None: nothing was put there yet. Raises `InputError` for another
        folder."""
        if (self._root / "store.json").exists() or not self._holds_anything():
            return Folder.opened(self._root) if (self._root / "store.json").exists() else None
        hint = "name an empty folder, or one that holds `store.json`"
        raise InputError("holds other things than a store of runs", where=self.where, hint=hint)

    def _holds_anything(self) -> bool:
        """Whether the folder holds more than an interrupted first push leaves."""
        try:
            names = {path.name for path in self._root.iterdir()}
        except OSError as error:
            what = f"cannot be read: {error.strerror}"
            raise InputError(what, where=self.where) from None
        return any(name not in _HALF_MADE and not name.startswith(".assay-") for name in names)


def _content(folder: Folder, name: str) -> bytes:
    """The content of a file; nothing of a run that is damaged in its pack, which is then left out
    as other damage is. Raises `InputError` where it cannot be read."""
    try:
        return SharedFiles(folder).read(name)
    except InputError:
        if run_of(name) and folder.packs.has(run_of(name)):
            return b""
        raise


_HALF_MADE = (".gitignore", "lost+found")  # names that may lie in an otherwise empty folder
