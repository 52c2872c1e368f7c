"""What counting allocations costs a malloc/free pair: measured by a native program."""

import subprocess

from benchmarks.tools import NATIVE


def main() -> bool:
    """The program prints its figures and exits 1 when a promise is broken."""
    program = NATIVE / "benchmarks" / "allocation_cost"
    return subprocess.run([program, "--gate"], check=False).returncode == 0
