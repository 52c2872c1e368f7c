"""One line on what `assay runs push` and `pull` did."""

from assay.show.words import format


def sharing_line(done: str, where: str, runs: int, labels: int, there: int) -> str:
    """How many runs and labels were copied, in a line.

    `done` is "pushed" or "pulled"; `there` is how many files both sides already had.
    """
    direction = "to" if done == "pushed" else "from"
    copied = format.count(runs, "run")
    if labels:
        copied += f" and {format.count(labels, 'label')}"
    were = "was" if there == 1 else "were"
    already = f"; {format.count(there, 'file')} {were} on both sides already" if there else ""
    return f"{done} {copied} {direction} {format.visible(where)}{already}"
