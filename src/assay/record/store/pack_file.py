"""A pack: many runs in one file, each with the bytes of the file that it was.

    data = packed_bytes([packed_member(run, data), ...])    # a pack, in the order of names
    entries = index(read_at, size, origin)          # by run, where its bytes are
    content_of_entry(entry, data[entry.start : entry.start + entry.packed], origin)

It is a ZIP file, so that `unzip -n PACK -d .assay/runs` makes a file of each run again, without
Assay. Names of runs are all of one length, so that an entry of ZIP's directory is too, and that of
thousands of runs is read in some milliseconds. Only what `packed_bytes` makes is read: nothing
between entries, no comments, no run twice, the oldest first (decision 51).
"""

import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from assay.errors import InputError
from assay.record.store.run_id import PATTERN, month_of

LARGEST_PACK = 64 * 2**20  # bytes of a pack that is read, at most
LARGEST_MEMBER = 2**20  # bytes of a run's file that is packed or read from a pack, at most
_NAME = 43  # bytes of "2026-11/20261123-145203.123456-1a2b.parquet"
_LOCAL = struct.Struct(f"<4s5H3L2H{_NAME}s")  # what is before the bytes of a run
_CENTRAL = struct.Struct(f"<4s6H3L5H2L{_NAME}s")  # what ZIP's directory has of a run
_END = struct.Struct("<4s4H2LH")  # the last bytes of the file
TAIL = _CENTRAL.size + _END.size  # bytes at the end of a pack that name its newest run
_MADE_BY = 3 << 8 | 20  # in ZIP: made on Unix, by version 2.0
_FLAGS, _METHOD = 0, 8  # deflated
_TIME, _DATE = 0, 0x21  # 1980-01-01, the first day that ZIP knows: the same runs are the same pack
_RIGHTS = 0o100644 << 16  # a regular file that its owner may write, where it is unpacked
_HINT = "restore it from a backup, or remove it"

ReadAt = Callable[[int, int], bytes]  # gives the bytes of a file from a place on, so many


class Member(NamedTuple):
    """A run as it lies in a pack."""

    run: str
    data: bytes  # the bytes of the run's file, deflated
    size: int  # of the run's file, in bytes
    crc: int  # of the run's file


class Entry(msgspec.Struct, frozen=True):
    """Where the bytes of a run lie in a pack."""

    run: str
    start: int
    packed: int  # how many bytes from `start` on
    size: int  # of the run's file, in bytes
    crc: int


def packed_member(run: str, data: bytes) -> Member:
    """A run to be put into a pack, from the bytes of its file."""
    deflate = zlib.compressobj(level=6, wbits=-zlib.MAX_WBITS)  # ZIP has no head of zlib
    return Member(run, deflate.compress(data) + deflate.flush(), len(data), zlib.crc32(data))


def content_of_entry(entry: Entry, data: bytes, origin: str) -> bytes:
    """The bytes of a run's file, from those in its pack. Raises `InputError` where these were
    damaged."""
    inflate = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        found = inflate.decompress(data, entry.size + 1)
    except zlib.error:
        found = b""
    if len(found) != entry.size or zlib.crc32(found) != entry.crc:
        hint = f"restore it from a backup, or `assay runs delete {entry.run}`"
        raise InputError(f"holds run {entry.run} damaged", where=origin, hint=hint)
    return found


def packed_bytes(members: Iterable[Member]) -> bytes:
    """The bytes of a pack of these runs, which are given in the order of their names."""
    file, directory = bytearray(), bytearray()
    for one in members:
        name = _name(one.run)
        sizes = (one.crc, len(one.data), one.size)
        head = (20, _FLAGS, _METHOD, _TIME, _DATE, *sizes, _NAME, 0)
        directory += _CENTRAL.pack(b"PK\1\2", _MADE_BY, *head, 0, 0, 0, _RIGHTS, len(file), name)
        file += _LOCAL.pack(b"PK\3\4", *head, name) + one.data
    count = len(directory) // _CENTRAL.size
    return bytes(file + directory) + _end(count, len(file))


def index(read_at: ReadAt, size: int, origin: str) -> dict[str, Entry]:
    """By run, where its bytes are in a pack of `size` bytes.

    Raises `InputError` for anything that `packed_bytes` does not make, and what `read_at` raises.
    """
    if not _END.size <= size <= LARGEST_PACK:
        raise _damage_error(origin)
    tail = read_at(size - _END.size, _END.size)
    if len(tail) != _END.size:
        raise _damage_error(origin)
    _, _, _, _, count, length, start, _ = _END.unpack(tail)
    if length != count * _CENTRAL.size or tail != _end(count, start):
        raise _damage_error(origin)
    if start + length + _END.size != size:
        raise _damage_error(origin)
    directory = read_at(start, length)
    if len(directory) != length:
        raise _damage_error(origin)
    return _entries(directory, start, origin)


def newest_run(tail: bytes) -> str:
    """The newest run of a pack whose last `TAIL` bytes these are; empty: they are of no pack.

    Adding a run asks for no more, so that it takes as long beside a pack of thousands as of two.
    """
    if len(tail) != TAIL:
        return ""
    name = _CENTRAL.unpack(tail[: _CENTRAL.size])[-1]
    _, _, _, _, count, _, start, _ = _END.unpack(tail[_CENTRAL.size :])
    run = name[8:35].decode(errors="replace")
    is_end = tail[_CENTRAL.size :] == _end(count, start)
    return run if is_end and _is_name(name, run) else ""


def first_and_last(runs: Sequence[str]) -> str:
    """The beginning of the name of a pack: its oldest run and its newest."""
    return f"{runs[0]}_{runs[-1]}"


def _end(count: int, start: int) -> bytes:
    """The last bytes of a pack of so many runs, whose directory begins at `start`."""
    return _END.pack(b"PK\5\6", 0, 0, count, count, count * _CENTRAL.size, start, 0)


def _entries(directory: bytes, end: int, origin: str) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    at, before = 0, ""
    for row in _CENTRAL.iter_unpack(directory):
        crc, length, size, offset, name = row[7], row[8], row[9], row[16], row[17]
        run = name[8:35].decode(errors="replace")
        is_ours = row[0] == b"PK\1\2" and row[4] == _METHOD and size <= LARGEST_MEMBER
        if not is_ours or offset != at or run <= before or not _is_name(name, run):
            raise _damage_error(origin)
        found[run] = Entry(run, offset + _LOCAL.size, length, size, crc)
        at, before = offset + _LOCAL.size + length, run
    if at != end or not found:
        raise _damage_error(origin)
    return found


def _name(run: str) -> bytes:
    return f"{month_of(run)}/{run}.parquet".encode()


def _is_name(name: bytes, run: str) -> bool:
    return bool(PATTERN.fullmatch(run)) and name == _name(run)


def _damage_error(origin: str) -> InputError:
    return InputError("is not a whole pack of runs", where=origin, hint=_HINT)
