"""The part of SFTP, version 3, that a store of files needs, over the user's own `ssh`.

    with Sftp.connected(["ssh", "-s", "--", "host", "sftp"], "ssh:host:runs") as sftp:
        replies = sftp.replies_to([open_for_reading(b"runs/x"), ...])

`replies_to` sends up to 64 requests before it waits for a reply, so that a thousand requests to a
distant machine take the time of some dozen. Names are bytes. The form of every reply is checked
before it is used: a server that does not speak SFTP is told apart from one that refuses. The
protocol is that of draft-ietf-secsh-filexfer-02, with OpenSSH's fsync; why not `sftp -b`: decision
44.
"""

import os
from collections.abc import Iterator, Sequence

import msgspec

from assay.errors import InputError, LaunchError
from assay.measure.tied import TiedProgram, WaitLimits

SILENT_S = 120.0  # seconds after which a server that says nothing is given up
CHUNK = 32 * 1024  # bytes that every server can read or write with one request
_MOST_REPLY = 2**20  # bytes of one reply, at most
_UNDER_WAY = 64  # requests sent and not yet answered, at most
_INIT, _VERSION = 1, 2  # kinds of the packets that open a connection
# SFTP's kinds of packets that are replies.
_STATUS, _HANDLE, _DATA, _NAME, _ATTRS = 101, 102, 103, 104, 105
OK, EOF, NO_SUCH_FILE = 0, 1, 2  # states of a reply
# SFTP's flags to open a file: for reading; for writing, as a file that must be new.
_READING, _WRITING_NEW = 0x01, 0x02 | 0x08 | 0x20
_FSYNC = b"fsync@openssh.com"  # OpenSSH's extension that syncs a file to the disk


class Request(msgspec.Struct, frozen=True):
    """A request of SFTP: the kind of its packet, and the bytes after the request's number."""

    kind: int
    rest: bytes


class Attributes(msgspec.Struct, frozen=True):
    """Size in bytes and mode of a file; None: the server does not say."""

    size: int | None
    mode: int | None


class FolderEntry(msgspec.Struct, frozen=True):
    """One entry of a listed folder: a name and its attributes."""

    name: bytes
    attributes: Attributes


class Reply(msgspec.Struct, frozen=True):
    """A server's reply to one request. Of `handle`, `data` and `entries`, the one that was asked
    for is set."""

    state: int = OK
    said: str = ""  # the server's message with `state`
    handle: bytes = b""
    data: bytes = b""
    entries: tuple[FolderEntry, ...] = ()


def open_for_reading(path: bytes) -> Request:
    """The request to open a file for reading; its reply has the handle."""
    return Request(3, _text(path) + _number(_READING) + _number(0))


def open_new(path: bytes) -> Request:
    """The request to make a file and open it for writing; it fails where there is one already."""
    return Request(3, _text(path) + _number(_WRITING_NEW) + _number(0))


def close(handle: bytes) -> Request:
    """The request to close a file or folder."""
    return Request(4, _text(handle))


def read(handle: bytes, at: int, size: int) -> Request:
    """The request to read up to `size` bytes of a file, from byte `at` on."""
    return Request(5, _text(handle) + at.to_bytes(8) + _number(size))


def write(handle: bytes, at: int, data: bytes) -> Request:
    """The request to write into a file, from byte `at` on."""
    return Request(6, _text(handle) + at.to_bytes(8) + _text(data))


def stat(path: bytes) -> Request:
    """The request for the attributes of what is at a path, without following a link."""
    return Request(7, _text(path))


def open_folder(path: bytes) -> Request:
    """The request to open a folder for listing; its reply has the handle."""
    return Request(11, _text(path))


def read_folder(handle: bytes) -> Request:
    """The request for the next entries of a folder; a reply without any means that there are no
    more."""
    return Request(12, _text(handle))


def remove(path: bytes) -> Request:
    """The request to remove a file."""
    return Request(13, _text(path))


def make_folder(path: bytes) -> Request:
    """The request to make a folder; it fails where there is one already."""
    return Request(14, _text(path) + _number(0))


def rename(path: bytes, to: bytes) -> Request:
    """The request to rename a file. It fails where `to` is there, as OpenSSH's `posix-rename` would
    not."""
    return Request(18, _text(path) + _text(to))


def sync(handle: bytes) -> Request:
    """The request to sync a file to the disk; only for a server with `Sftp.can_sync`."""
    return Request(200, _text(_FSYNC) + _text(handle))


class Sftp:
    """An SFTP connection to one server, through `ssh`. Close it, or use it in `with`.

    `can_sync` says whether the server can sync a file to its disk.
    """

    def __init__(self, process: TiedProgram, where: str) -> None:
        self._process, self._where = process, where
        self._next = 0
        self.can_sync = False

    @classmethod
    def connected(cls, command: Sequence[str], where: str) -> "Sftp":
        """A connection made by running `command`; `where` names the remote in messages.

        Raises `InputError` with what ssh says where there is none.
        """
        process = TiedProgram(
            command, environment=os.environ, data=None, patience=WaitLimits(SILENT_S)
        )
        sftp = cls(process, where)
        try:
            sftp._negotiate_version()
        except BaseException:
            sftp.close()
            raise
        return sftp

    def replies_to(self, questions: Sequence[Request]) -> list[Reply]:
        """The replies to requests, in their order.

        Raises `InputError` where the connection ended, or the server is silent or speaks no SFTP. A
        request that the server refuses raises nothing: its reply has the state.
        """
        first = self._next
        self._next += len(questions)
        replies: dict[int, Reply] = {}
        for number, question in enumerate(questions):
            self._send(question.kind, _number(first + number) + question.rest)
            if number - len(replies) >= _UNDER_WAY - 1:
                self._read_reply(replies, first, number)
        while len(replies) < len(questions):
            self._read_reply(replies, first, len(questions) - 1)
        return [replies[first + number] for number in range(len(questions))]

    def __enter__(self) -> "Sftp":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection and the ssh process."""
        self._process.close()

    def _negotiate_version(self) -> None:
        """Open the protocol: agree on version 3, and learn whether the server can sync files."""
        self._send(_INIT, _number(3))
        kind, body = self._packet()
        if kind != _VERSION:
            raise self._protocol_error()
        body.number()
        while body.bytes_left():
            name, _ = body.text(), body.text()
            self.can_sync = self.can_sync or name == _FSYNC

    def _read_reply(self, replies: dict[int, Reply], first: int, last: int) -> None:
        """Read one reply into `replies`. It must belong to one of the requests `first` to `first +
        last`."""
        kind, body = self._packet()
        number = body.number()
        if not first <= number <= first + last or number in replies:
            raise self._protocol_error()
        replies[number] = self._reply(kind, body)

    def _reply(self, kind: int, body: "_PacketReader") -> Reply:
        if kind == _STATUS:
            return Reply(state=body.number(), said=body.text().decode(errors="replace"))
        if kind == _HANDLE:
            return Reply(handle=body.text())
        if kind == _DATA:
            return Reply(data=body.text())
        if kind == _NAME:
            return Reply(entries=tuple(_entries(body)))
        if kind == _ATTRS:
            return Reply(entries=(FolderEntry(b"", _attributes(body)),))
        raise self._protocol_error()

    def _send(self, kind: int, rest: bytes) -> None:
        try:
            self._process.write(_number(len(rest) + 1) + bytes([kind]) + rest)
        except TimeoutError:
            raise self._silence_error() from None
        except OSError:
            raise self._end_error() from None

    def _packet(self) -> "tuple[int, _PacketReader]":
        """The kind and content of the next packet."""
        size = int.from_bytes(self._read_exactly(4))
        if not 1 <= size <= _MOST_REPLY:
            raise self._protocol_error()
        packet = self._read_exactly(size)
        return packet[0], _PacketReader(packet[1:], self._protocol_error())

    def _read_exactly(self, size: int) -> bytes:
        try:
            data = self._process.output.read(size)
        except TimeoutError:
            raise self._silence_error() from None
        if len(data) < size:
            raise self._end_error()
        return data

    def _silence_error(self) -> InputError:
        what = f"the connection was given up: the server said nothing for {SILENT_S:g} s"
        return InputError(what, where=self._where, hint="try again when it answers")

    def _protocol_error(self) -> InputError:
        hint = "try `sftp` by hand: a shell's start-up file that prints something is a usual reason"
        return InputError("does not speak SFTP as it should", where=self._where, hint=hint)

    def _end_error(self) -> InputError:
        """The error of a connection that ended, with the last thing that ssh said."""
        try:
            self._process.finish()
        except LaunchError as error:
            what = f"ssh cannot be started: {error.reason}"
            return InputError(what, where=self._where, hint="install OpenSSH's client")
        lines = self._process.errors().decode(errors="replace").splitlines()
        said = next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
        hint = "ssh must reach it without a question: with a key, an agent, a known host"
        return InputError(f"the connection ended: {said}", where=self._where, hint=hint)


class _PacketReader:
    """The content of an SFTP packet, read field by field from its beginning."""

    def __init__(self, data: bytes, odd: InputError) -> None:
        self._data, self._at, self._protocol_error = data, 0, odd

    def bytes_left(self) -> int:
        return len(self._data) - self._at

    def number(self, size: int = 4) -> int:
        return int.from_bytes(self._take(size))

    def text(self) -> bytes:
        return self._take(self.number())

    def _take(self, size: int) -> bytes:
        if size > self.bytes_left():
            raise self._protocol_error
        self._at += size
        return self._data[self._at - size : self._at]


def _entries(body: _PacketReader) -> Iterator[FolderEntry]:
    for _ in range(body.number()):
        name, _long = body.text(), body.text()
        yield FolderEntry(name, _attributes(body))


def _attributes(body: _PacketReader) -> Attributes:
    """The attributes that come next in a packet: flags say which of them are there."""
    flags = body.number()
    size = body.number(8) if flags & 1 else None
    if flags & 2:
        body.number(8)
    mode = body.number() if flags & 4 else None
    if flags & 8:
        body.number(8)
    if flags & 0x80000000:
        for _ in range(body.number()):
            body.text(), body.text()
    return Attributes(size, mode)


def _number(value: int) -> bytes:
    """A number as SFTP writes it: 4 bytes, the highest first."""
    return value.to_bytes(4)


def _text(data: bytes) -> bytes:
    """Bytes as SFTP writes them: their length before them."""
    return _number(len(data)) + data
