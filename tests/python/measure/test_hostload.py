import pytest

from assay.measure.hostload import CpuTimes, parse_cpu_times, read_cpu_times, steal_share


def test_guest_time_is_not_counted_twice() -> None:
    assert parse_cpu_times("cpu  10 1 5 100 2 0 1 3 50 60\n") == CpuTimes(122, 3)


def test_this_host_has_times() -> None:
    assert read_cpu_times().total > 0


def test_steal_is_a_share() -> None:
    assert steal_share(CpuTimes(1000, 10), CpuTimes(1100, 30)) == pytest.approx(0.2)


def test_too_few_jiffies_say_nothing() -> None:
    assert steal_share(CpuTimes(1000, 10), CpuTimes(1009, 11)) is None
