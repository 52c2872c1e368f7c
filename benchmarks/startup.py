"""How soon `assay --help` answers: promised within 250 ms."""

from benchmarks.tools import ASSAY, median_s, promised


def main() -> bool:
    return promised("assay --help", 1000 * median_s([ASSAY, "--help"], 15), 250, "ms")
