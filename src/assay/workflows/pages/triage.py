"""What somebody says of changes, kept in the store.

say(root, survey, Said(keys=frozenset({...}), state=TriageState.EXPECTED, note="", now_s=...))
"""

from dataclasses import dataclass
from pathlib import Path

from assay.record.store.folder import Folder
from assay.record.store.triages import Triages
from assay.survey import Found, Survey, Triage, TriageState


@dataclass(frozen=True)
class Said:
    """Of which changes, and what; no state: what was said is taken back."""

    keys: frozenset[str]
    state: TriageState | None
    note: str
    now_s: float


def say(root: Path, survey: Survey, said: Said) -> None:
    """Changes that are not in the survey are left out. Raises `InputError`."""
    triages = Triages(Folder.opened(root))
    for one in survey.found:
        if one.key in said.keys:
            _say(triages, one, said)


def _say(triages: Triages, one: Found, said: Said) -> None:
    if one.triage:
        triages.forget(one.triage.key)  # it may have been said of other ends
    if said.state is None:
        return
    key = one.watched.key
    triages.keep(
        Triage(
            benchmark=key.benchmark,
            metric=key.metric,
            host=key.host,
            before=one.before.run,
            after=one.after.run,
            before_s=one.before.time_s,
            after_s=one.after.time_s,
            state=said.state,
            note=said.note,
            said_s=said.now_s,
        )
    )
