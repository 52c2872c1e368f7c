import pytest

from assay.measure.host.load import (
    CpuTimes,
    StealWindow,
    parse_cpu_times,
    read_cpu_times,
    steal_share,
)


def test_guest_time_is_not_counted_twice() -> None:
    assert parse_cpu_times("cpu  10 1 5 100 2 0 1 3 50 60\n") == CpuTimes(122, 3)


def test_this_host_has_times() -> None:
    assert read_cpu_times().total > 0


def test_steal_is_a_share() -> None:
    assert steal_share(CpuTimes(1000, 10), CpuTimes(1100, 30)) == pytest.approx(0.2)


def test_too_few_jiffies_say_nothing() -> None:
    assert steal_share(CpuTimes(1000, 10), CpuTimes(1009, 11)) is None


class Host:
    """Two CPUs, 100 ticks a second each, of which a share is stolen from some moment on."""

    def __init__(self, stolen: float, since_s: float = 0.0) -> None:
        self.stolen, self.since_s = stolen, since_s
        self.now_s, self.readings = 0.0, 0

    def read(self) -> CpuTimes:
        self.readings += 1
        ticks = int(self.now_s * 200)
        return CpuTimes(ticks, int(max(0.0, self.now_s - self.since_s) * 200 * self.stolen))


def shares(host: Host, launch_s: float, launches: int) -> list[float | None]:
    """What is said of each of several launches, one right after the other."""
    window, said = StealWindow(host.read), []
    for _ in range(launches):
        window.read_if_due(host.now_s)
        host.now_s += launch_s
        said.append(window.share(host.now_s))
    return said


def test_steal_is_seen_in_launches_that_are_shorter_than_a_tick_can_show() -> None:
    said = shares(Host(0.2), launch_s=0.02, launches=50)
    assert said[:12] == [None] * 12, "nothing can be said of a quarter of a second's beginning"
    known = [share for share in said if share is not None]
    assert len(known) >= 35
    assert all(share == pytest.approx(0.2, abs=0.03) for share in known)


def test_a_quiet_host_steals_nothing() -> None:
    assert {share for share in shares(Host(0.0), 0.02, 50) if share is not None} == {0.0}


def test_a_long_launch_is_judged_over_itself_alone() -> None:
    host = Host(0.3, since_s=3.0)
    said = shares(host, launch_s=1.0, launches=5)
    assert said[:3] == [0.0, 0.0, 0.0]
    assert said[3:] == [pytest.approx(0.3), pytest.approx(0.3)]


def test_readings_are_taken_at_most_once_in_twenty_milliseconds() -> None:
    host = Host(0.0)
    shares(host, launch_s=0.002, launches=500)
    assert host.readings <= 52
