"""One line on what `assay runs push` and `pull` did."""

from assay.show.words import format


def sharing_line(done: str, where: str, runs: int, labels: int, there: int) -> str:
    """How many runs and labels were copied, in a line.

    `done` is "pushed" or "pulled"; `there` is how many files both sides already had.
    """
    direction = "to" if done == "pushed" else "from"
    copied = f"{_many(runs, 'run')} and {_many(labels, 'label')}" if labels else _many(runs, "run")
    already = f"; {there} files were on both sides already" if there else ""
    return f"{done} {copied} {direction} {format.visible(where)}{already}"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
