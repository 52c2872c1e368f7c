"""What recording a latency costs, and timing one: measured by a native program."""

import subprocess

from benchmarks.tools import NATIVE


def main() -> bool:
    """The program prints its figures and exits 1 when a promise is broken."""
    command = [str(NATIVE / "benchmarks" / "latency_cost"), "--gate"]
    return subprocess.run(command, check=False).returncode == 0
