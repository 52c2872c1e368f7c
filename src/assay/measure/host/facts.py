"""Facts about this host that change what a measurement means.

    facts = read_facts()
    facts["cpu_model"], facts["virtualisation"]

Each is read from /proc or /sys; what cannot be read is absent, never guessed.
Reading all of them takes a few milliseconds.
"""

import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

_CPU0 = Path("/sys/devices/system/cpu/cpu0")
_CPU = Path("/sys/devices/system/cpu")


def read_facts() -> dict[str, Any]:
    """Facts about this machine: the `host` object of a record (`schema/README.md`)."""
    facts: dict[str, Any] = {
        "name": platform.node(),
        "os": _pretty_name(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "cpu_model": _cpu_field("model name"),
        "cpus": os.cpu_count(),
        "cpus_allowed": len(os.sched_getaffinity(0)),
        "memory_bytes": _memory_bytes(),
        "virtualisation": virtualisation_technology(),
        "governor": stripped_text_of_file(_CPU0 / "cpufreq" / "scaling_governor"),
        "smt": stripped_text_of_file(_CPU / "smt" / "active"),
        "turbo": turbo_setting(),
        "aslr": stripped_text_of_file(Path("/proc/sys/kernel/randomize_va_space")),
        "clock_source": stripped_text_of_file(
            Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
        ),
    }
    return {key: value for key, value in facts.items() if value is not None}


def stripped_text_of_file(path: Path) -> str | None:
    """The stripped content of a small file; None when there is none."""
    try:
        return path.read_text().strip()
    except OSError:
        return None


def turbo_setting() -> str | None:
    """Turbo boost, "on" or "off"; None where the host does not say (most virtual machines)."""
    no_turbo = stripped_text_of_file(_CPU / "intel_pstate" / "no_turbo")
    if no_turbo is not None:
        return "off" if no_turbo == "1" else "on"
    boost = stripped_text_of_file(_CPU / "cpufreq" / "boost")
    if boost is None:
        return None
    return "on" if boost == "1" else "off"


def virtualisation_technology() -> str | None:
    """Hypervisor and container technology ("kvm, docker"), "none" on bare metal."""
    tool = shutil.which("systemd-detect-virt")
    if tool is None:
        return "vm" if "hypervisor" in (_cpu_field("flags") or "").split() else "none"
    kinds = [_output_of_detect_virt(tool, "--vm"), _output_of_detect_virt(tool, "--container")]
    return ", ".join(kind for kind in kinds if kind != "none") or "none"


def _output_of_detect_virt(tool: str, what: str) -> str:
    done = subprocess.run([tool, what], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "none"


def _cpu_field(name: str) -> str | None:
    for line in (stripped_text_of_file(Path("/proc/cpuinfo")) or "").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return None


def _pretty_name() -> str | None:
    for line in (stripped_text_of_file(Path("/etc/os-release")) or "").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return None


def _memory_bytes() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None
