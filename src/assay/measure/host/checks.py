"""What `assay doctor` looks at: each check says what it found, whether that
disturbs measuring, and what to do about it.

    for check in run_checks():
        check.name, check.status, check.found, check.advice
"""

import ctypes
import errno
import os
import struct
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from time import sleep

import msgspec

from assay.measure.host.facts import stripped_text_of_file, turbo_setting, virtualisation_technology
from assay.measure.host.load import load_average, read_cpu_times

_CPU = Path("/sys/devices/system/cpu")
_STEAL_LOOK_S = 1.0  # seconds for which steal is watched


class Status(StrEnum):
    """Whether a property of this host disturbs measuring."""

    GOOD = "good"
    NOTE = "note"  # not visible here, or of no consequence for a comparison
    BAD = "bad"  # makes measurements noisier than they could be


class Check(msgspec.Struct, frozen=True):
    """One property of this host: what was found, and what to do if it disturbs measuring."""

    name: str
    status: Status
    found: str
    advice: str = ""


def run_checks() -> tuple[Check, ...]:
    """Run all checks. It takes a second, because steal is watched that long."""
    checks: tuple[Callable[[], Check], ...] = (
        *(check_governor, check_turbo, check_smt, check_aslr, check_load, check_steal),
        *(check_virtualisation, check_perf_hardware, check_perf_software, check_bpf),
    )
    return tuple(check() for check in checks)


def check_governor() -> Check:
    governor = stripped_text_of_file(_CPU / "cpu0" / "cpufreq" / "scaling_governor")
    if governor is None:
        return Check("governor", Status.NOTE, "not visible here", "the hypervisor sets it")
    if governor == "performance":
        return Check("governor", Status.GOOD, governor)
    return Check("governor", Status.BAD, governor, "cpupower frequency-set -g performance")


def check_turbo() -> Check:
    state = turbo_setting()
    if state is None:
        return Check("turbo", Status.NOTE, "not visible here", "interleaved rounds absorb it")
    if state == "off":
        return Check("turbo", Status.GOOD, state)
    advice = "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo (or cpufreq/boost: 0)"
    return Check("turbo", Status.BAD, state, advice)


def check_smt() -> Check:
    active = stripped_text_of_file(_CPU / "smt" / "active")
    if active != "1":
        found = "off" if active == "0" else "not visible here"
        return Check("SMT", Status.GOOD if active == "0" else Status.NOTE, found)
    return Check(
        "SMT", Status.BAD, "on", "keep the sibling idle, or echo off > .../cpu/smt/control"
    )


def check_aslr() -> Check:
    """ASLR being on is good: memory layouts then differ between launches and average out."""
    setting = stripped_text_of_file(Path("/proc/sys/kernel/randomize_va_space"))
    if setting == "0":
        advice = "sysctl kernel.randomize_va_space=2: one fixed layout favours one side"
        return Check("ASLR", Status.BAD, "off", advice)
    found = {"1": "partial", "2": "full"}.get(setting or "", "not visible here")
    return Check("ASLR", Status.GOOD if setting else Status.NOTE, found)


def check_load() -> Check:
    load, cpus = load_average(), len(os.sched_getaffinity(0))
    if load is None:
        return Check("load", Status.NOTE, "not visible here")
    found = f"{load:.2f} on {cpus} CPUs"
    if load < 0.5 * cpus:
        return Check("load", Status.GOOD, found)
    return Check("load", Status.BAD, found, "stop what else is running; see `top`")


def check_steal() -> Check:
    before = read_cpu_times()
    sleep(_STEAL_LOOK_S)
    after = read_cpu_times()
    total = after.total - before.total
    if total <= 0:
        return Check("steal", Status.NOTE, "not visible here")
    share = (after.steal - before.steal) / total
    found = f"{share:.1%} over {_STEAL_LOOK_S:g} s"
    if share < 0.01:
        return Check("steal", Status.GOOD, found)
    advice = "other guests use this CPU: rounds with much steal are dropped; try later"
    return Check("steal", Status.BAD, found, advice)


def check_virtualisation() -> Check:
    kind = virtualisation_technology()
    if kind == "none":
        return Check("virtualisation", Status.GOOD, "none")
    return Check(
        "virtualisation", Status.NOTE, kind or "unknown", "expect a higher floor: `assay floor`"
    )


def check_perf_hardware() -> Check:
    reason = perf_event_refusal(kind=0, config=0)
    if reason is None:
        return Check("perf counters", Status.GOOD, "cycles can be counted")
    return Check("perf counters", Status.NOTE, reason, "times are judged without them")


def check_perf_software() -> Check:
    reason = perf_event_refusal(kind=1, config=2)
    if reason is None:
        return Check("perf software events", Status.GOOD, "page faults can be counted")
    return Check("perf software events", Status.NOTE, reason, "sysctl kernel.perf_event_paranoid=1")


def check_bpf() -> Check:
    if os.geteuid() != 0:
        return Check("BPF", Status.NOTE, "needs root", "run as root to attach tracers")
    places = (Path("/sys/kernel/tracing/events"), Path("/sys/kernel/debug/tracing/events"))
    if not any(place.is_dir() for place in places):
        advice = "mount -t tracefs tracefs /sys/kernel/tracing"
        return Check("BPF", Status.NOTE, "tracepoints are not mounted", advice)
    return Check("BPF", Status.GOOD, "tracepoints are available to root")


def perf_event_refusal(*, kind: int, config: int) -> str | None:
    """Why the kernel refuses to count this perf event on the calling thread; None: it does count
    it."""
    # struct perf_event_attr, first version (64 bytes): type, size, config, then
    # sampling, formats, and flags with exclude_kernel | exclude_hv (bits 5 and 6).
    attr = struct.pack("<IIQQQQQIIQ", kind, 64, config, 0, 0, 0, 0b1100001, 0, 0, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    number = {"x86_64": 298, "aarch64": 241}.get(os.uname().machine)
    if number is None:
        return "not known on this architecture"
    fd = libc.syscall(number, ctypes.create_string_buffer(attr, 64), 0, -1, -1, 0)
    if fd >= 0:
        os.close(fd)
        return None
    code = ctypes.get_errno()
    if code in (errno.ENOENT, errno.EOPNOTSUPP, errno.ENODEV):
        return "not supported: the host passes no counters through"
    return f"refused: {os.strerror(code)}"
