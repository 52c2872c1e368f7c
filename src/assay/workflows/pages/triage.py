"""Keeps in the store what somebody says about changes.

note = TriageNote(keys=frozenset({...}), state=TriageState.EXPECTED, note="", now_s=...)
keep_triage_note(root, survey, note)
"""

from pathlib import Path

import msgspec

from assay.record.store.folder import Folder
from assay.record.store.triages import Triages
from assay.survey import FoundChange, Survey, Triage, TriageState


class TriageNote(msgspec.Struct, frozen=True):
    """What somebody says about some changes of level.

    No `state`: take back what was said earlier.
    """

    keys: frozenset[str]
    state: TriageState | None
    note: str
    now_s: float


def keep_triage_note(root: Path, survey: Survey, said: TriageNote) -> None:
    """Keep a note on changes, skipping those not in the survey. Raises `InputError`."""
    triages = Triages(Folder.opened(root))
    for one in survey.found:
        if one.key in said.keys:
            _keep_triage(triages, one, said)


def _keep_triage(triages: Triages, one: FoundChange, said: TriageNote) -> None:
    if one.triage:
        # An earlier statement may be filed under other runs around the same change.
        triages.forget(one.triage.key)
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
