"""One line on what `assay runs compact` did."""

from assay.show.words import format


def compaction_line(packed: int | None, runs: int, packs: int, size: int) -> str:
    """How many runs were packed now (None: nothing was merged), and how many runs are in how many
    packs of how many bytes altogether."""
    said = "nothing to compact" if packed is None else f"packed {format.count(packed, 'run')}"
    if not packs:
        return said
    there, of = format.count(runs, "run"), format.count(packs, "pack")
    verb = "is" if runs == 1 else "are"
    return f"{said}; {there} {verb} in {of}, {size / 2**20:.1f} MiB"
