"""The `assay` object of a record: who measured what, where, and at which revision."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from assay import __version__
from assay.errors import LaunchError
from assay.facts import Facts
from assay.measure.host.checks import perf_event_refusal
from assay.measure.host.facts import read_facts
from assay.measure.tied import run_program
from assay.record.document import SCHEMA_VERSION


def session_facts(targets: Mapping[str, str], **more: Any) -> Facts:
    """Facts on tool, host, revision and targets, known before the first launch.

    `targets` has a target for each side, or a single one under the key "target".
    """
    written = {
        "schema": SCHEMA_VERSION,
        "tool": f"assay {__version__}",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": read_facts(),
        "git": git_facts(),
        "targets": dict(targets),
        "unavailable": unavailable(),
        **more,
    }
    return Facts.read(written, where="")


def git_facts() -> dict[str, Any]:
    """Revision, commit time and uncommitted changes of the working directory; empty without git."""
    head = _git("log", "-1", "--no-show-signature", "--format=%H %ct")
    if not head:
        return {}
    revision, time_s = head.split()
    is_dirty = bool(_git("status", "--porcelain"))
    return {"revision": revision, "time_s": int(time_s), "dirty": is_dirty}


def unavailable() -> list[str]:
    """What this host does not permit to measure, each with the reason."""
    refusal = perf_event_refusal(kind=0, config=0)
    return [f"perf_event hardware counters: {refusal}"] if refusal else []


def _git(*arguments: str) -> str | None:
    try:
        done = run_program(("git", *arguments), environment=os.environ)
    except LaunchError:  # git is not installed, so there are no facts on a revision
        return None
    return done.output.decode(errors="replace").strip() if done.code == 0 else None
