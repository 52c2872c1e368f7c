"""Which hosts share one history: those of which all that changes speed for months is the same."""

import pytest

from assay.facts import Host
from assay.record.store.host_class import UNKNOWN, host_class


def test_all_that_changes_speed_is_named() -> None:
    host = Host(
        cpu_model="EPYC",
        cpus=2,
        kernel="6.1.0-13-cloud",
        governor="performance",
        virtualisation="kvm, docker",
    )
    assert host_class(host) == "EPYC, 2 CPUs, Linux 6, performance, virtual"


def test_what_is_not_known_is_left_out() -> None:
    assert host_class(Host(cpu_model="EPYC")) == "EPYC"
    assert host_class(Host()) == UNKNOWN == "unknown host"


def test_one_cpu_is_told_as_one() -> None:
    assert host_class(Host(cpus=1)) == "1 CPU"
    assert host_class(Host(cpus=2)) == "2 CPUs"


def test_another_tool_says_the_number_of_cpus_in_its_context() -> None:
    assert host_class(Host(), {"num_cpus": 4}) == "4 CPUs"
    assert host_class(Host(cpus=2), {"num_cpus": 4}) == "2 CPUs"


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ("none", "bare metal"),
        ("docker", "bare metal"),
        ("podman, lxc", "bare metal"),
        ("lxc-libvirt, systemd-nspawn, rkt, openvz", "bare metal"),
        ("kvm", "virtual"),
        ("docker, kvm", "virtual"),
        ("", "unknown host"),
    ],
)
def test_a_container_alone_is_no_virtual_machine(kinds: str, said: str) -> None:
    assert host_class(Host(virtualisation=kinds)) == said
