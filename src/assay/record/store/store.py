"""A store of runs: what is measured is added, and found again by name.

    store = Store.opened_or_made(Path(".assay"))
    run = store.add(record, kind="run", now_s=time.time())
    store.load("LAST") == record

Adding takes as long for the ten-thousandth run as for the first. It is safe in any number of
threads and processes; a process that is killed leaves whole files only (decision 36).
"""

import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from assay.facts import GitFacts, RevisionBuild, Seconds
from assay.model import Record
from assay.record.store.folder import Folder
from assay.record.store.host_class import host_class
from assay.record.store.run_id import new_run_id

_STEPS_US = 65_536  # microseconds: bound of `new_run_id`'s random `step_us` (decision 44)


class Store:
    """A store of runs in a folder, to add runs and load them; `Folder` knows its paths."""

    def __init__(self, folder: Folder, host: str = "") -> None:
        self.folder = folder
        self._host = host

    @classmethod
    def opened(cls, root: Path) -> "Store":
        """The store at `root`. Raises `InputError` where there is none that can be used."""
        return cls(Folder.opened(root))

    @classmethod
    def opened_or_made(cls, root: Path, host: str = "") -> "Store":
        """The store at `root`, made where there is none; `host` is a class of host that the user
        set.

        Raises `InputError` where it cannot be made or used.
        """
        return cls(Folder.opened_or_made(root), host)

    def add(
        self,
        record: Record,
        *,
        kind: str,
        now_s: float,
        measured_s: float | None = None,
        before: Callable[[str], None] | None = None,
    ) -> str:
        """Store a record; return the name of the run. Raises `InputError` where it is not stored.

        `now_s` and `measured_s` are seconds since 1970; the second is when it was measured, where
        the record does not say. `before` is called with the name before there is such a run.
        """
        from assay.record.store.run_file import Header, encode

        step_us = 1 + secrets.randbelow(_STEPS_US)
        run = new_run_id(now_s, self.folder.newest(), secrets.token_hex(2), step_us)
        facts, git, builds = record.facts, record.facts.git, _builds(record)
        header = Header(
            run=run,
            time_s=_first_known(measured_at(record), measured_s, now_s),
            host=self._host or host_class(facts.host, record.context),
            revision=_built_revision(builds) or _revision(git),
            suite=facts.suite,
            kind=kind,
            target=" | ".join(facts.targets.values()),
            revisions={side: one.revision for side, one in builds.items()},
            committed_s={
                **({"": git.time_s} if git.time_s else {}),
                **{side: one.time_s for side, one in builds.items()},
            },
        )
        written = encode(record, header)
        if before is not None:
            before(run)
        self.folder.write(run, written)
        return run

    def load(self, written: str) -> Record:
        """The record of a run, written as LAST, a label, a name or the beginning of a name.

        Raises `InputError` where there is no such run, or its file cannot be read.
        """
        from assay.record.store.run_file import decode

        run = self.folder.find(written)
        record = decode(self.folder.read(run), str(self.folder.file_of(run)))[1]
        return msgspec.structs.replace(record, origin=f"run:{run}")


def _builds(record: Record) -> Mapping[str, RevisionBuild]:
    """The revision from which Assay built each side, by side; for a run of one side the key is
    ""."""
    builds = record.facts.builds
    if len(builds) == 1 and record.samples and record.samples[0].side is None:
        return {"": next(iter(builds.values()))}
    return builds


def _built_revision(builds: Mapping[str, RevisionBuild]) -> str:
    """The revision that was built, or both as "1a2b3c4d5..6e7f8a9b0"; empty: Assay built none."""
    revisions = [one.revision for one in builds.values()]
    return revisions[0] if len(revisions) == 1 else "..".join(one[:9] for one in revisions)


def _revision(git: GitFacts) -> str:
    """The revision of the checkout, marked as `git describe --dirty` does; empty: not known."""
    if not git.revision:
        return ""
    return f"{git.revision}-dirty" if git.dirty else git.revision


def measured_at(record: Record) -> float | None:
    """When the record says that it was measured, in seconds since 1970; None: it does not say."""
    written: Any = record.facts.date or record.context.get("date")
    try:
        moment = datetime.fromisoformat(str(written))
        seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        return msgspec.convert(seconds, Seconds)
    # No date, one that is beyond the calendar in UTC, or one with which no run can be read again.
    except (ValueError, OverflowError, msgspec.ValidationError):
        return None


def _first_known(*times_s: float | None) -> float:
    """The first of the times that is known."""
    return next(one for one in times_s if one is not None)
