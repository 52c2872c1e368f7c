"""A folder of another machine as a remote, over OpenSSH and nothing else on the other side.

    remote = SshRemote.written("me@build.example:assay-runs")

The folder is a store like any other and must be there. Nothing but SFTP is used, so an account that
may do nothing else is enough. Files are written under another name, synced where the server can,
and renamed with the request that fails where the name is taken; some dozens at a time. What killed
pushes left is removed when its name says that it is a day old (decision 44).
"""

import re
import secrets
import stat
import time
from collections.abc import Iterable, Iterator, Sequence

from assay.errors import InputError, UsageError
from assay.record.store.mark import check_mark, encoded_mark
from assay.record.store.packs import LOCK
from assay.record.store.remotes import sftp
from assay.record.store.remotes.address import without_secrets
from assay.record.store.remotes.remote import MOST_FILES, RemoteListing
from assay.record.store.remotes.sftp import FolderEntry, Reply, Sftp
from assay.record.store.remotes.ssh_packs import SshPacks
from assay.record.store.shared_files import is_shared, run_name, run_of, size_limit_of

_SHORT = re.compile(r"(?P<host>[^/:]+):(?P<path>.+)")  # HOST:PATH
_LONG = re.compile(r"//(?P<host>[^/:]+)(:(?P<port>\d{1,5}))?(?P<path>/.*)")  # //HOST:PORT/PATH
_HOST = re.compile(r"([A-Za-z0-9_][A-Za-z0-9._-]*@)?[A-Za-z0-9_][A-Za-z0-9._-]*")
# Name of a half-written file: the time when it was begun, and a random number.
_PART = re.compile(rb"\.assay-part-(\d{1,12})-[0-9a-f]{8}")
_OLD_S = 86_400.0  # seconds after which a half-written file is taken for abandoned
_AT_ONCE, _BYTES_AT_ONCE = 64, 8 * 2**20  # files and bytes read or written in one batch
# With these options ssh asks no question, and gives up a server that does not answer.
_OPTIONS = ("-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "-o", "ServerAliveInterval=15")


class SshRemote:
    """A store in a folder of another machine, over an open SFTP connection. Its methods are those
    of `Remote`."""

    def __init__(self, command: Sequence[str], root: str, where: str) -> None:
        self.where = where
        self._root = root.rstrip("/") or "/"
        self._sizes: dict[str, int] = {}
        self._sftp = Sftp.connected(command, where)
        self._packs = SshPacks(self._sftp, self._path_of("packs"))

    @classmethod
    def written(cls, words: str) -> "SshRemote":
        """The remote written as [USER@]HOST:PATH or //[USER@]HOST[:PORT]/PATH.

        Raises `UsageError` where it is written otherwise, `InputError` where it is not reached.
        """
        found = _LONG.fullmatch(words) or _SHORT.fullmatch(words)
        if found is None or not _HOST.fullmatch(found["host"]):
            hint = "ssh:[USER@]HOST:PATH, or with a port ssh://[USER@]HOST:PORT/PATH"
            where = without_secrets(f"ssh:{words}")
            raise UsageError("names no folder of another machine", where=where, hint=hint)
        port = found.groupdict().get("port")
        command = ["ssh", *_OPTIONS, *(["-p", port] if port else []), "-s", "--", found["host"]]
        return cls([*command, "sftp"], found["path"].removeprefix("~/"), f"ssh:{words}")

    def listed(self) -> RemoteListing:
        """The shared files that are on the remote now. Files that killed pushes left a day ago are
        removed."""
        self._check_mark()
        months = [
            one.name for one in self._entries("runs") if re.fullmatch(rb"\d{4}-\d\d", one.name)
        ]
        folders = ["labels", "confirmations", *(f"runs/{month.decode()}" for month in months)]
        self._sizes, strangers = {}, 0
        for folder in folders:
            for entry in self._entries(folder):
                name = f"{folder}/{entry.name.decode(errors='replace')}"
                if _PART.fullmatch(entry.name):
                    self._remove_half_written(name, entry.name)
                elif is_shared(name) and stat.S_ISREG(entry.attributes.mode or 0):
                    self._sizes[name] = entry.attributes.size or 0
                else:
                    strangers += 1
        strangers += self._strange_packs()
        packed = {run_name(run): size for run, size in self._packs.sizes.items()}
        return RemoteListing(packed | self._sizes, strangers)

    def _strange_packs(self) -> int:
        """Look into the packs of a store that was compacted there; returns how many files among
        them are none."""
        strangers = 0
        self._packs = SshPacks(self._sftp, self._path_of("packs"))
        for entry in self._entries("packs"):
            name, size = entry.name.decode(errors="replace"), entry.attributes.size or 0
            is_file = stat.S_ISREG(entry.attributes.mode or 0)
            is_ours = name == LOCK or name.startswith(".assay-")
            strangers += not (is_file and (is_ours or self._packs.add_pack_index(name, size)))
        return strangers

    def fetched(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Each of the files with its content; only names that were `listed` have any."""
        is_packed = {name: self._packs.has(run_of(name)) for name in names}
        packed = [name for name in names if is_packed[name] and name not in self._sizes]
        for some in _batches([(name, self._packs.bytes_of(run_of(name))) for name in packed]):
            yield from self._found_again(some, self._packs.read(list(map(run_of, some))))
        alone = [name for name in names if not is_packed[name] or name in self._sizes]
        for some in _batches([(name, self._bytes_to_read(name)) for name in alone]):
            yield from self._found_again(some, self._read(some))

    def _found_again(
        self, names: Sequence[str], contents: Sequence[bytes | None]
    ) -> Iterator[tuple[str, bytes]]:
        """Each file with its content, None where it is gone. A run that is gone, or cannot be read
        out of its pack, is looked for in the packs that are there now: whoever compacts the store
        may have moved it since it was listed."""
        if any(not data and run_of(name) for name, data in zip(names, contents, strict=True)):
            self._strange_packs()
        for name, data in zip(names, contents, strict=True):
            run = run_of(name)
            if not data and run and self._packs.has(run):
                yield name, self._packs.read([run])[0]
            elif data is None:
                raise InputError(f"{name} cannot be read: it is gone", where=self.where)
            else:
                yield name, data

    def put(self, files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        """Write files to the remote, some dozens at a time; yields the names of those that are
        new."""
        self._make_mark()
        some: list[tuple[str, bytes]] = []
        for one in files:
            some.append(one)
            if len(some) == _AT_ONCE or sum(len(data) for _, data in some) > _BYTES_AT_ONCE:
                yield from self._put(some)
                some = []
        yield from self._put(some)

    def close(self) -> None:
        """End the connection."""
        self._sftp.close()

    def _bytes_to_read(self, name: str) -> int:
        """How many bytes of a file are read: its listed size, but one more than allowed at most."""
        return min(self._sizes.get(name, 0), size_limit_of(name) + 1)

    def _read(self, names: Sequence[str]) -> list[bytes | None]:
        """The content of files; None of one that is gone."""
        opened = self._sftp.replies_to(
            [sftp.open_for_reading(self._path_of(name)) for name in names]
        )
        for name, reply in zip(names, opened, strict=True):
            if reply.state != sftp.NO_SUCH_FILE:
                self._check(reply, name, "read")
        there = {name: reply for name, reply in zip(names, opened, strict=True) if not reply.state}
        pieces = [
            (name, sftp.read(reply.handle, at, min(sftp.CHUNK, self._bytes_to_read(name) - at)))
            for name, reply in there.items()
            for at in range(0, self._bytes_to_read(name), sftp.CHUNK)
        ]
        answers = self._sftp.replies_to([question for _, question in pieces])
        self._sftp.replies_to([sftp.close(reply.handle) for reply in there.values()])
        data = {name: bytearray() for name in there}
        for (name, _), answer in zip(pieces, answers, strict=True):
            data[name] += answer.data
        return [bytes(data[name]) if name in data else None for name in names]

    def _put(self, files: Sequence[tuple[str, bytes]]) -> Iterator[str]:
        """Put some dozen files at once; yield the names of those that are new.

        Then `InputError` is raised where the server refused one; its part is removed.
        """
        parts = [self._temporary_path(name) for name, _ in files]
        self._make_folders({name.rpartition("/")[0] for name, _ in files})
        done: list[str] = []
        try:
            self._write(parts, files)
            asked = zip(parts, files, strict=True)
            replies = self._sftp.replies_to(
                [sftp.rename(part, self._path_of(one[0])) for part, one in asked]
            )
            done = [
                one[0] for one, reply in zip(files, replies, strict=True) if _has_succeeded(reply)
            ]
            yield from done
            self._check_there([name for name, _ in files if name not in done])
        finally:
            if len(done) < len(files):
                self._sftp.replies_to([sftp.remove(part) for part in parts])

    def _write(self, parts: Sequence[bytes], files: Sequence[tuple[str, bytes]]) -> None:
        opened = self._sftp.replies_to([sftp.open_new(part) for part in parts])
        for (name, _), reply in zip(files, opened, strict=True):
            self._check(reply, name, "written")
        handles = [reply.handle for reply in opened]
        pieces = [
            (name, sftp.write(handle, at, data[at : at + sftp.CHUNK]))
            for handle, (name, data) in zip(handles, files, strict=True)
            for at in range(0, len(data), sftp.CHUNK)
        ]
        if self._sftp.can_sync:
            pieces += [
                (name, sftp.sync(handle)) for handle, (name, _) in zip(handles, files, strict=True)
            ]
        pieces += [
            (name, sftp.close(handle)) for handle, (name, _) in zip(handles, files, strict=True)
        ]
        for (name, _), reply in zip(
            pieces, self._sftp.replies_to([one for _, one in pieces]), strict=True
        ):
            self._check(reply, name, "written")

    def _check_there(self, names: Sequence[str]) -> None:
        """Raise `InputError` unless files of these names, which could not be renamed to, are there
        already."""
        replies = self._sftp.replies_to([sftp.stat(self._path_of(name)) for name in names])
        for name, reply in zip(names, replies, strict=True):
            self._check(reply, name, "written")

    def _check_mark(self) -> None:
        """Raise `InputError` unless the folder is there, and is a store or empty."""
        names = {one.name for one in self._entries("", needed=True)}
        if b"store.json" in names:
            self._sizes["store.json"] = 100
            reply = self._sftp.replies_to([sftp.open_for_reading(self._path_of("store.json"))])[0]
            self._check(reply, "store.json", "read")
            answer, _ = self._sftp.replies_to(
                [sftp.read(reply.handle, 0, 200), sftp.close(reply.handle)]
            )
            check_mark(answer.data, f"{self.where}/store.json")
        elif any(not name.startswith(b".") and name != b"lost+found" for name in names):
            hint = "name an empty folder, or one that holds `store.json`"
            raise InputError("holds other things than a store of runs", where=self.where, hint=hint)

    def _make_mark(self) -> None:
        if not _has_succeeded(self._sftp.replies_to([sftp.stat(self._path_of("store.json"))])[0]):
            list(self._put([("store.json", encoded_mark())]))

    def _make_folders(self, folders: set[str]) -> None:
        """Make folders and their parents. That one exists already does not matter."""
        wanted = {folder.partition("/")[0] for folder in folders} | folders
        self._sftp.replies_to(
            [sftp.make_folder(self._path_of(folder)) for folder in sorted(wanted - {""})]
        )

    def _entries(self, folder: str, *, needed: bool = False) -> Iterator[FolderEntry]:
        """The entries of a folder on the remote. A missing folder has none, unless it is `needed`:
        then `InputError` is raised."""
        (opened,) = self._sftp.replies_to([sftp.open_folder(self._path_of(folder))])
        if opened.state == sftp.NO_SUCH_FILE and not needed:
            return
        if opened.state == sftp.NO_SUCH_FILE:
            what = "there is no such folder on that machine"
            raise InputError(what, where=self.where, hint="make it there first")
        self._check(opened, folder or ".", "read")
        found = 0
        while entries := self._sftp.replies_to([sftp.read_folder(opened.handle)])[0].entries:
            found += len(entries)
            if found > MOST_FILES:
                what = f"lists more than {MOST_FILES} files, which no history has"
                raise InputError(what, where=self.where)
            yield from (one for one in entries if one.name not in (b".", b".."))
        self._sftp.replies_to([sftp.close(opened.handle)])

    def _remove_half_written(self, name: str, part: bytes) -> None:
        """Remove a half-written file that was begun more than a day ago."""
        found = _PART.fullmatch(part)
        if found and time.time() - int(found[1]) > _OLD_S:
            self._sftp.replies_to([sftp.remove(self._path_of(name))])

    def _temporary_path(self, name: str) -> bytes:
        """The path of a temporary file beside the file `name`, to be renamed when it is whole."""
        folder, slash, _ = name.rpartition("/")
        part = f".assay-part-{int(time.time())}-{secrets.token_hex(4)}"
        return self._path_of(f"{folder}{slash}{part}")

    def _path_of(self, name: str) -> bytes:
        return (f"{self._root}/{name}" if name else self._root).encode()

    def _check(self, reply: Reply, name: str, done: str) -> None:
        """Raise `InputError` with the server's message where it refused to have `name` read or
        written."""
        if not _has_succeeded(reply):
            said = reply.said.strip() or f"state {reply.state}"
            hint = "is its disk full, or the folder not yours to write in?"
            what = f"{name} cannot be {done}: the server says {said!r}"
            raise InputError(what, where=self.where, hint=hint if done == "written" else "")


def _has_succeeded(reply: Reply) -> bool:
    return reply.state == sftp.OK


def _batches(files: Sequence[tuple[str, int]]) -> Iterator[list[str]]:
    """Batches of some dozen names, or fewer where their files take more than some megabytes."""
    some: list[str] = []
    size = 0
    for name, of_it in files:
        if some and (len(some) == _AT_ONCE or size + of_it > _BYTES_AT_ONCE):
            yield some
            some, size = [], 0
        some.append(name)
        size += of_it
    if some:
        yield some
