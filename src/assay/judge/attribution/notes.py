"""Notes on what stages could not see, each once: several may lack the same debug information.

notes, stages = each_once(stages, known=("the base is stripped: ...",))

Two notes are of the same lack where they begin alike, up to the colon; the first is kept. What is
`known` already is left out.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from assay.findings import StageFindings


def each_once(
    stages: Sequence[StageFindings], known: Sequence[str]
) -> tuple[tuple[str, ...], tuple[StageFindings, ...]]:
    """The notes of all stages, and the stages with each note left at the first that has it."""
    every = [note for stage in stages for note in stage.notes]
    kept = {_lack(note): note for note in reversed(every)}
    told = [note for note in reversed(kept.values()) if _lack(note) not in map(_lack, known)]
    return tuple(told), tuple(_first_ones(stages, told))


def _first_ones(stages: Sequence[StageFindings], told: Sequence[str]) -> list[StageFindings]:
    left, found = list(told), []
    for stage in stages:
        notes = tuple(note for note in dict.fromkeys(stage.notes) if note in left)
        left = [note for note in left if note not in notes]
        found.append(replace(stage, notes=notes))
    return found


def _lack(note: str) -> str:
    return note.partition(":")[0]
