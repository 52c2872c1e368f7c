"""When a benchmark was being measured, from what the preloaded library wrote."""

import struct
from pathlib import Path

import pytest

from assay.measure.profile.sampled.stretches import MOST, SpanSet, TimeStretch, read

MARK = 0x3243545254535941


def written(
    path: Path, moments: list[tuple[int, int]], *, mark: int = MARK, count: int = -1
) -> Path:
    kept = b"".join(struct.pack("<qqqq", time, 0, thread, time // 2) for time, thread in moments)
    path.write_bytes(struct.pack("<QqQ", mark, 410, len(moments) if count < 0 else count) + kept)
    return path


def test_every_two_moments_of_a_thread_are_a_stretch(tmp_path: Path) -> None:
    moments = [(10, 1), (12, 2), (20, 1), (30, 1), (31, 2), (40, 1), (50, 1)]
    found = read(written(tmp_path / "file", moments))
    assert found is not None
    assert found.process == 410
    assert found.stretches == (
        TimeStretch(10, 20, 5),
        TimeStretch(12, 31, 9),
        TimeStretch(30, 40, 5),
    )
    assert found.share_delayed == 19 / 39


def test_set_up_lies_outside() -> None:
    inside = SpanSet([TimeStretch(30, 40), TimeStretch(10, 20), TimeStretch(12, 15)])
    assert [time for time in range(0, 60, 5) if time in inside] == [10, 15, 20, 30, 35, 40]
    assert 5 not in SpanSet([])


@pytest.mark.parametrize("change", [{"mark": 1}, {"count": 9}, {"count": MOST + 1}])
def test_what_is_not_whole_tells_nothing(tmp_path: Path, change: dict[str, int]) -> None:
    assert read(written(tmp_path / "file", [(1, 1), (2, 1)], **change)) is None


def test_a_program_that_the_library_did_not_get_into(tmp_path: Path) -> None:
    assert read(tmp_path / "none") is None
    (tmp_path / "empty").write_bytes(b"")
    assert read(tmp_path / "empty") is None
    assert read(written(tmp_path / "no loop", [])) is None
