"""The scope of signals: where one is raised, where it is noted, and where it waits."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from assay import interrupts
from assay.interrupts import (
    STOPPING,
    Interrupted,
    Signals,
    handling_signals,
    signals_held_back,
    stoppable_measuring,
)


@pytest.fixture(autouse=True)
def every_signal_is_a_new_wish(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in STOPPING}
    monkeypatch.setattr(interrupts, "_ONE_WISH_S", 0.0)
    yield
    assert {number: signal.getsignal(number) for number in STOPPING} == before


def send(number: int) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", STOPPING)
def test_one_while_measuring_is_raised_and_told(number: signal.Signals) -> None:
    with handling_signals() as signals:
        with pytest.raises(Interrupted) as error, stoppable_measuring() as stop:
            send(number)
        assert error.value.signal_number == stop.interrupted_by == signals.first == number


@pytest.mark.parametrize("number", STOPPING)
def test_one_before_measuring_is_raised_too(number: signal.Signals) -> None:
    with handling_signals(), pytest.raises(Interrupted):
        send(number)


@pytest.mark.parametrize("number", STOPPING)
def test_the_first_after_measuring_is_noted_and_the_second_raised(number: signal.Signals) -> None:
    with handling_signals() as signals:
        with stoppable_measuring() as stop:
            pass
        send(number)
        assert (signals.first, stop.interrupted_by) == (number, None)
        with pytest.raises(Interrupted):
            send(signal.SIGTERM)
        assert signals.first == number, "the exit code is of the first"


def test_two_of_one_wish_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "_ONE_WISH_S", 1e9)
    with handling_signals() as signals:
        with pytest.raises(Interrupted):
            send(signal.SIGTERM)
        send(signal.SIGHUP)
        assert signals.first == signal.SIGTERM


def test_what_comes_while_finishing_lets_no_measuring_begin() -> None:
    with handling_signals():
        with stoppable_measuring():
            pass
        send(signal.SIGINT)
        with pytest.raises(Interrupted), stoppable_measuring():
            pytest.fail("it measures")


def test_one_that_is_held_back_comes_when_the_outermost_block_is_left() -> None:
    done = []

    def hold() -> None:
        with signals_held_back():
            with signals_held_back():
                send(signal.SIGINT)
                done.append("inner")
            done.append("outer")

    with handling_signals(), pytest.raises(Interrupted):
        hold()
    assert done == ["inner", "outer"]


def test_one_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with handling_signals() as signals:
            send(signal.SIGHUP)
            assert signals.first is None
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_another_thread_holds_nothing_back() -> None:
    seen: list[Signals] = []

    def hold() -> None:
        with signals_held_back(), handling_signals() as signals:
            seen.append(signals)

    with handling_signals() as ours:
        thread = threading.Thread(target=hold)
        thread.start()
        thread.join()
        assert seen == [ours]
        with pytest.raises(Interrupted):
            send(signal.SIGINT)
