"""The table of the OS lab: its last line says what the figures above it are of."""

import pytest

from assay.judge.labs.os_times import os_times
from assay.model import Record, Sample
from assay.show.terminal.os_lab import print_times


def launched(name: str, launches: int) -> list[Sample]:
    return [
        Sample(benchmark=name, time_unit="ns", values={"real_time": (1.0, 2.0, 3.0)}, threads=1)
        for _ in range(launches)
    ]


def notes(samples: list[Sample], capsys: pytest.CaptureFixture[str]) -> list[str]:
    print_times(Record(context={}, facts={}, samples=tuple(samples)), os_times(samples))
    wide = capsys.readouterr().out.replace("\n", " ")
    return [each for each in ("mean of launches", "median of all samples") if each in wide]


def test_six_launches_are_a_mean_of_launches(capsys: pytest.CaptureFixture[str]) -> None:
    assert notes(launched("os/nop", 6), capsys) == ["mean of launches"]


def test_five_launches_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert notes(launched("os/nop", 5), capsys) == ["median of all samples"]


def test_both_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    samples = launched("os/nop", 6) + launched("os/fork", 2)
    assert notes(samples, capsys) == ["mean of launches", "median of all samples"]


def test_nothing_measured_has_no_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert notes([], capsys) == []
