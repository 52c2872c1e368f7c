"""What programs did beside being measured is told once, with how often it happened."""

from conftest import finished

from assay.measure.executor import KEPT_BYTES
from assay.measure.oddities import SideEffectsOfTargets


def test_nothing_odd_is_nothing_told() -> None:
    oddities = SideEffectsOfTargets()
    oddities.note_launch("a", finished(printed_bytes=KEPT_BYTES))
    assert oddities.sentences() == []


def test_it_is_told_once_for_each_target() -> None:
    oddities = SideEffectsOfTargets()
    for _ in range(3):
        oddities.note_launch("a", finished(left_behind=2))
        oddities.note_launch("b", finished(printed_bytes=1_000_000_000))
    assert oddities.sentences() == [
        "a: 3 launches left 6 processes behind; they were ended",
        "b: 3 launches printed up to 1,000 MB; the last 32 MiB were kept",
    ]
