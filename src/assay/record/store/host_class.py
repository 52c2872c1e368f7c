"""The class of a host: machines of one class give figures that may be put in one history.

    >>> host_class(Host(cpu_model="AMD EPYC 7763", cpus=2, kernel="6.1.0-13-cloud",
    ...                 virtualisation="kvm, docker"))
    'AMD EPYC 7763, 2 CPUs, Linux 6, virtual'

A class names no single machine: the hosts of a pool that are alike share one history. It is made
of what changes speed and stays for months: CPU model, number of CPUs, major version of the kernel,
frequency governor, and whether the machine is virtual (decision 36).
"""

from collections.abc import Mapping
from typing import Any

from assay.facts import Host

UNKNOWN = "unknown host"
# Kinds by `systemd-detect-virt` that are no virtual machine.
_CONTAINERS = {"none", "docker", "podman", "lxc", "lxc-libvirt", "systemd-nspawn", "rkt", "openvz"}


def host_class(host: Host, context: Mapping[str, Any] | None = None) -> str:
    """The class of a record's host. For a file of another tool the number of CPUs is taken from its
    `context`, if it is there."""
    cpus = host.cpus or (context or {}).get("num_cpus")
    parts = [
        host.cpu_model,
        f"{cpus} CPU{'s' if cpus != 1 else ''}" if cpus else None,
        _kernel(host.kernel),
        host.governor,
        _virtualisation_in_words(host.virtualisation),
    ]
    return ", ".join(str(part) for part in parts if part) or UNKNOWN


def _kernel(release: str | None) -> str | None:
    return f"Linux {release.partition('.')[0]}" if release else None


def _virtualisation_in_words(kinds: str | None) -> str | None:
    """Whether the host is virtual, in words; a container alone is no virtual machine."""
    if not kinds:
        return None
    is_virtual = not set(kinds.replace(" ", "").split(",")) <= _CONTAINERS
    return "virtual" if is_virtual else "bare metal"
