"""The door for files that anybody may have made: regular ones, up to a size; else a sentence."""

import os
import socket
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.files import write_whole
from assay.small_files import (
    LARGEST_RESULTS,
    open_regular,
    read_results,
    read_small,
    read_small_if_there,
)


def _bind(place: Path) -> None:
    with chdir(place.parent), socket.socket(socket.AF_UNIX) as made:
        made.bind(place.name)


def test_a_file_of_up_to_its_size_is_read_whole(tmp_path: Path) -> None:
    for size in (0, 1, 1_000, 200_000):
        path = tmp_path / "one"
        path.write_bytes(b"x" * size)
        assert read_small(path, size) == b"x" * size
        assert read_results(path) == b"x" * size


def test_one_byte_more_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.write_bytes(b"x" * 1_001)
    with pytest.raises(InputError, match=r"one: is larger than 1,000 bytes.*move it away"):
        read_small(path, 1_000)


def test_files_of_the_kernel_say_no_size_and_are_read_whole() -> None:
    assert read_small(Path("/proc/self/stat"), 10_000) != b""
    with pytest.raises(InputError, match="larger than 3 bytes"):
        read_small(Path("/proc/self/stat"), 3)


def test_a_file_of_terabytes_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.touch()
    os.truncate(path, 2**41)
    for read in (lambda: read_small(path, 1_000), lambda: read_results(path)):
        with pytest.raises(InputError, match="is larger than"):
            read()


def test_results_of_a_gigabyte_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.touch()
    os.truncate(path, LARGEST_RESULTS + 1)
    with pytest.raises(InputError, match=r"is larger than 1,000,000,000 bytes"):
        read_results(path)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (os.mkfifo, "a pipe"),
        (Path.mkdir, "a folder"),
        (_bind, "a socket"),
        (lambda place: place.symlink_to("/dev/zero"), "a device"),
    ],
)
def test_what_is_no_regular_file_is_never_opened(
    tmp_path: Path, make: Callable[[Path], None], word: str
) -> None:
    place = tmp_path / "one"
    make(place)
    for read in (read_small, read_small_if_there):
        with pytest.raises(InputError, match=f"is {word}, where a file belongs"):
            read(place, 1_000)


def test_what_is_not_there_is_told_or_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "absent", tmp_path / "file" / "below"):
        assert read_small_if_there(path, 1) is None
        with pytest.raises(InputError, match="no such file"):
            read_small(path, 1)


def test_results_may_come_from_a_pipe() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"results")
    os.close(writing)
    try:
        assert read_results(Path(f"/dev/fd/{reading}")) == b"results"
    finally:
        os.close(reading)


def test_a_regular_file_is_opened_at_its_start(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("x")
    with open_regular(tmp_path / "one") as file:
        assert file.read() == b"x"


def test_what_looks_like_a_file_that_was_left_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / f".assay-{'0' * 16}")
    (tmp_path / f".assay-{'1' * 16}").symlink_to("/dev/zero")
    write_whole(b"x", tmp_path / "one")
    assert len(list(tmp_path.iterdir())) == 3
