"""Notes on what stages could not see, each once: several may lack the same debug information.

notes, stages = notes_without_repeats(stages, known=("the base is stripped: ...",))

Two notes are of the same lack where they begin alike, up to the colon; the first is kept. What is
`known` already is left out.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from assay.findings import StageFindings


def notes_without_repeats(
    stages: Sequence[StageFindings], known: Sequence[str]
) -> tuple[tuple[str, ...], tuple[StageFindings, ...]]:
    """The notes of all stages, and the stages with each note left at the first that has it."""
    every = [note for stage in stages for note in stage.notes]
    kept = {_missing_part(note): note for note in reversed(every)}
    told = [
        note
        for note in reversed(kept.values())
        if _missing_part(note) not in map(_missing_part, known)
    ]
    return tuple(told), tuple(_stages_with_first_notes(stages, told))


def _stages_with_first_notes(
    stages: Sequence[StageFindings], told: Sequence[str]
) -> list[StageFindings]:
    left, found = list(told), []
    for stage in stages:
        notes = tuple(note for note in dict.fromkeys(stage.notes) if note in left)
        left = [note for note in left if note not in notes]
        found.append(replace(stage, notes=notes))
    return found


def _missing_part(note: str) -> str:
    return note.partition(":")[0]
