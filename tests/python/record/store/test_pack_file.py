"""The bytes of a pack: what is made is read again, and nothing else is."""

import io
import random
import struct
import zipfile
import zlib

import pytest

from assay.errors import InputError
from assay.record.store.pack_file import (
    LARGEST_MEMBER,
    LARGEST_PACK,
    TAIL,
    Entry,
    content_of_entry,
    first_and_last,
    index,
    newest_run,
    packed_bytes,
    packed_member,
)

RUNS = [f"2026080{day}-131320.250000-a1b2" for day in range(1, 6)]
CONTENTS = {run: random.Random(run).randbytes(50) * n for n, run in enumerate(RUNS)}
PACK = packed_bytes([packed_member(run, data) for run, data in CONTENTS.items()])


def entries(data: bytes) -> dict[str, Entry]:
    return index(lambda at, size: data[at : at + size], len(data), "x.zip")


def held(data: bytes) -> dict[str, bytes]:
    return {
        run: content_of_entry(one, data[one.start : one.start + one.packed], "x.zip")
        for run, one in entries(data).items()
    }


def test_what_was_packed_is_read_again() -> None:
    assert held(PACK) == CONTENTS


def test_a_changed_byte_is_noticed_or_changes_nothing() -> None:
    """The rest are dates, rights and copies of numbers, which Assay does not look at."""
    for at in range(len(PACK)):
        data = bytearray(PACK)
        data[at] ^= 0x41
        try:
            found = held(bytes(data))
        except InputError as error:
            said = "is not a whole pack of runs", "damaged"
            assert any(one in str(error) for one in said), at  # noqa: PT017
        else:
            assert found.items() <= CONTENTS.items(), at


def test_a_pack_that_was_cut_is_refused() -> None:
    for size in range(len(PACK)):
        with pytest.raises(InputError, match="is not a whole pack"):
            entries(PACK[:size])


@pytest.mark.parametrize(
    "runs", [RUNS[::-1], [RUNS[0], RUNS[0]], []], ids=["order", "twice", "none"]
)
def test_an_order_that_is_never_made_is_refused(runs: list[str]) -> None:
    with pytest.raises(InputError, match="is not a whole pack"):
        entries(packed_bytes([packed_member(run, b"x") for run in runs]))


def test_a_run_that_is_larger_than_it_says_is_refused_before_it_fills_the_memory() -> None:
    bomb = packed_member(RUNS[0], bytes(5 * LARGEST_MEMBER))
    with pytest.raises(InputError, match="is not a whole pack"):
        entries(packed_bytes([bomb]))
    small = bomb._replace(size=LARGEST_MEMBER)
    with pytest.raises(InputError, match="damaged"):
        held(packed_bytes([small]))


def test_the_same_runs_make_the_same_pack() -> None:
    assert packed_bytes([packed_member(run, data) for run, data in CONTENTS.items()]) == PACK


def test_any_program_for_zip_files_unpacks_it_as_the_folder_that_it_was() -> None:
    with zipfile.ZipFile(io.BytesIO(PACK)) as opened:
        assert opened.testzip() is None
        members = opened.infolist()
        assert [one.filename for one in members] == [f"2026-08/{run}.parquet" for run in RUNS]
        assert [opened.read(one) for one in members] == list(CONTENTS.values())
    for one in members:
        assert one.date_time == (1980, 1, 1, 0, 0, 0)
        assert one.external_attr == 0o100644 << 16
        assert (one.create_system, one.create_version, one.extract_version) == (3, 20, 20)
        assert (one.compress_type, one.flag_bits) == (zipfile.ZIP_DEFLATED, 0)
        assert (one.volume, one.internal_attr, one.extra, one.comment) == (0, 0, b"", b"")


def test_a_run_is_deflated_as_zlib_does_it_and_no_smaller() -> None:
    data = bytes(range(256)) * 40
    assert packed_member(RUNS[0], data).data == zlib.compress(data, 6, wbits=-15)


def test_where_the_bytes_of_each_run_lie() -> None:
    """30 bytes and a name of 43 are before them; 46 and the name are in the directory."""
    start = 0
    for run, data in CONTENTS.items():
        made_of = packed_member(run, data)
        sizes = len(made_of.data), len(data), zlib.crc32(data)
        assert entries(PACK)[run] == Entry(run, start + 73, *sizes)
        start += 73 + len(made_of.data)
    assert len(PACK) == start + 5 * 89 + 22
    assert TAIL == 89 + 22
    assert PACK[-22:] == b"PK\5\6" + struct.pack("<4H2LH", 0, 0, 5, 5, 5 * 89, start, 0)


def test_a_run_as_large_as_can_be_is_read() -> None:
    assert LARGEST_MEMBER == 2**20
    largest = packed_member(RUNS[0], bytes(LARGEST_MEMBER))
    assert entries(packed_bytes([largest]))[RUNS[0]].size == LARGEST_MEMBER
    with pytest.raises(InputError, match="is not a whole pack"):
        entries(packed_bytes([largest._replace(size=LARGEST_MEMBER + 1)]))


def test_what_is_larger_than_a_pack_is_not_even_read() -> None:
    assert LARGEST_PACK == 64 * 2**20
    asked: list[tuple[int, int]] = []

    def read_at(at: int, size: int) -> bytes:
        asked.append((at, size))
        return b""

    for size in (0, 21, LARGEST_PACK + 1, LARGEST_PACK, 22):
        with pytest.raises(InputError, match="is not a whole pack"):
            index(read_at, size, "x.zip")
    assert asked == [(LARGEST_PACK - 22, 22), (0, 22)]


def test_a_pack_that_shrinks_while_it_is_read_is_refused() -> None:
    def read_at(at: int, size: int) -> bytes:
        whole = PACK[at : at + size]
        return whole if size == 22 else whole[:-89]

    with pytest.raises(InputError, match="is not a whole pack"):
        index(read_at, len(PACK), "x.zip")


def test_refusals_say_where_and_what_to_do() -> None:
    with pytest.raises(InputError) as refused:
        entries(b"")
    assert str(refused.value) == (
        "x.zip: is not a whole pack of runs; restore it from a backup, or remove it"
    )
    with pytest.raises(InputError) as refused:
        content_of_entry(Entry(RUNS[0], 0, 1, 1, 0), b"\xff", "x.zip")
    assert str(refused.value) == (
        f"x.zip: holds run {RUNS[0]} damaged; restore it from a backup, or "
        f"`assay runs delete {RUNS[0]}`"
    )


@pytest.mark.parametrize("extra", [b"", b"more"])
def test_anything_between_the_parts_is_refused(extra: bytes) -> None:
    start = len(PACK) - 22 - 5 * 89
    data = PACK[:start] + extra + PACK[start:]
    if extra:
        with pytest.raises(InputError, match="is not a whole pack"):
            entries(data)
    else:
        assert list(entries(data)) == RUNS


def test_the_newest_run_is_named_by_the_last_bytes_alone() -> None:
    assert newest_run(PACK[-TAIL:]) == RUNS[-1]
    assert newest_run(PACK[-TAIL - 1 :]) == newest_run(PACK[-TAIL + 1 :]) == newest_run(b"") == ""
    named = PACK[-TAIL:]
    for of, other in ((b"2026-08", b"2026-07"), (b".parquet", b".parquxt"), (b"PK\5\6", b"PK\5\7")):
        assert newest_run(named.replace(of, other)) == ""


def test_a_pack_is_called_after_its_oldest_and_its_newest_run() -> None:
    assert first_and_last(RUNS) == f"{RUNS[0]}_{RUNS[4]}"
    assert first_and_last(RUNS[:1]) == f"{RUNS[0]}_{RUNS[0]}"
