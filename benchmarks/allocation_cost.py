"""What counting allocations costs a malloc/free pair: measured by a native program."""

import subprocess

from benchmarks.tools import NATIVE


def main() -> bool:
    """The program prints its figures and exits 1 when a promise is broken."""
    return subprocess.run([NATIVE / "benchmarks" / "allocation_cost"], check=False).returncode == 0
