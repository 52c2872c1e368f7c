"""Chooses the CPU that launches are pinned to, and checks it before anything starts."""

import os

from assay.errors import UsageError
from assay.measure.session import LaunchSettings
from assay.workflows.common.plan import Measuring


def launch_settings(measuring: Measuring) -> LaunchSettings:
    """The settings of a session. Raises `UsageError` for a CPU that we may not use.

    Without --pin, single-threaded benchmarks run on the last CPU allowed, because the first one
    usually serves most interrupts.
    """
    allowed = os.sched_getaffinity(0)
    if measuring.pin is not None and measuring.pin not in allowed:
        listed = ", ".join(str(cpu) for cpu in sorted(allowed))
        raise UsageError(
            "this CPU cannot be used",
            where=f"--pin {measuring.pin}",
            hint=f"allowed here: {listed}",
        )
    cpu = max(allowed) if measuring.pin is None else measuring.pin
    return LaunchSettings(
        duet=_two_cpus(allowed) if measuring.duet else None,
        seed=measuring.seed,
        effort=measuring.effort,
        cpu=cpu,
        pin_all=measuring.pin is not None,
    )


def _two_cpus(allowed: set[int]) -> tuple[int, int]:
    """The lowest and the highest number of the CPUs allowed, which are
    likely on different cores.
    """
    if len(allowed) < 2:
        raise UsageError(
            "only one CPU is allowed here", where="--duet", hint="measure without --duet"
        )
    return min(allowed), max(allowed)
