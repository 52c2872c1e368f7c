"""How soon `assay --help` answers: promised within 100 ms."""

from benchmarks.tools import ASSAY, median_s, promised


def main() -> bool:
    return promised("assay --help", 1000 * median_s([ASSAY, "--help"], 15), 100, "ms")
