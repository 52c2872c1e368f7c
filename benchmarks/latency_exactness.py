"""Quantiles of a histogram beside exact ones, over a thousand million values (about 20 s)."""

import subprocess

from benchmarks.tools import NATIVE


def main() -> bool:
    """The program prints its figures and exits 1 when a promise is broken."""
    command = [NATIVE / "benchmarks" / "latency_exactness"]
    return subprocess.run(command, check=False).returncode == 0
