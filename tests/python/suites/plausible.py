"""Lower bounds no machine reaches: below them, the compiler removed what was to be timed."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

MOST_ITEMS_PER_S = 2e10  # an item in a quarter of a cycle
MOST_BYTES_PER_S = 2e12  # sixteen times what a core reads of its first cache

# What an item costs at the very least, in ns, whatever the machine.
LEAST_NS: tuple[tuple[str, float], ...] = (
    (r"ref_create_and_destroy<", 1.0),  # a malloc and a free
    (r"ref_(contended_)?copy<RefType::(Shared|IntrusiveThreadSafe)", 1.0),  # atomic, twice
    (r"random_\w+<RandomType::GetRandom>", 20.0),  # a system call
    (r"timer<TimerType::Clock(Process|Thread)Cpu>", 20.0),
    (r"timer<TimerType::(Clock|Chrono|GetTime)", 0.5),
    (r"stream<StreamType::(Pipe|EventFd),", 40.0),  # two system calls
    (r"stream<", 0.5),
    (r"populate<", 1.0),
    (r"iterate<", 0.1),
    (r"lock_\w+<LockType::", 1.0),  # an atomic exchange: 1.9 ns was seen, an empty loop takes 0.3
    (r"callback_create_and_destroy<CallbackType::(Virtual|MoveOnly)", 1.0),
    (r"callback_call<", 0.1),
    (r"future_within_a_thread<FutureType::(Promise|PackagedTask|AsyncDeferred)", 5.0),
    (r"future_from_another_thread<", 50.0),  # a line of cache there and back, at best
    (r"coroutine_await<AwaitType::SymmetricTransfer", 1.0),  # a frame from the heap
    (r"coroutine_generate<", 0.1),
    (r"timer_queue_life<", 1.0),
    (r"transport_round_trip<TransportType::SharedMemory", 20.0),
    (r"transport_round_trip<", 200.0),  # eight system calls
    (r"serialization_\w+<", 2.0),
)


def implausible(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """One line for each row that cannot be true, or that says too little to tell."""
    return [line for row in rows for line in _faults(row)]


def _faults(row: Mapping[str, Any]) -> Iterable[str]:
    name = row["name"]
    if row.get("error_occurred"):
        yield f"{name}: {row.get('error_message')}"
        return
    items = row.get("items_per_second")
    if not items:
        yield f"{name}: no items_per_second"
        return
    if items > MOST_ITEMS_PER_S:
        yield f"{name}: {items:.3g} items a second"
    if row.get("bytes_per_second", 0) > MOST_BYTES_PER_S:
        yield f"{name}: {row['bytes_per_second']:.3g} bytes a second"
    # The time of a row of several threads is their mean, and threads that have no CPU yet have
    # not begun: one after the other they seem that many times faster.
    threads = row.get("threads", 1)
    least_ns = next((least for rule, least in LEAST_NS if re.search(rule, name)), 0.0) / threads
    if 1e9 / items < least_ns:
        yield f"{name}: {1e9 / items:.3g} ns an item, and {least_ns} is the least there can be"


def that_do_not_grow(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Families whose CPU time for many items is not many times that for one.

    Not those with a second thread: what a wake-up takes is the host's to say.
    """
    times: dict[str, dict[float, float]] = {}
    for row in rows:
        found = re.search(r"/items:(\d+)", row["name"])
        if found and "/real_time" not in row["name"]:
            family = re.sub(r"/(items|size):\d+", "", row["name"])
            times.setdefault(family, {})[float(found[1])] = float(row["cpu_time"])
    return [
        f"{family}: {sizes}"
        for family, sizes in times.items()
        if len(sizes) > 1 and sizes[max(sizes)] < 4 * sizes[min(sizes)]
    ]
