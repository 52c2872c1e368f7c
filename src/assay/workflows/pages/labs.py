"""What labs measured, read from a store.

content_of_lab_run(Path(".assay"), run, Lab.INDEX)      # Content of its page
os_runs(survey)                               # runs to show side by side
"""

from pathlib import Path

from assay.errors import InputError
from assay.history import Lab
from assay.model import Settings
from assay.record.store.store import Store
from assay.show.content import Content
from assay.survey import Survey
from assay.workflows.common.plan import ComparePlan
from assay.workflows.contents.measured import of_measured
from assay.workflows.contents.run import with_choices

MOST_BESIDE = 24  # at most so many runs of the OS lab are shown side by side, the newest


def content_of_lab_run(root: Path, run: str, lab: Lab) -> Content:
    """The content of a run's page. Raises `InputError`."""
    record = Store.opened(root).load(run)
    if not record.samples:
        what = "has nothing to show: no launch came to its end"
        hint = f"`assay runs show {run}` says how"
        raise InputError(what, where=f"run:{run}", hint=hint)
    content = of_measured(record, ComparePlan(record.origin, None, settings=Settings()))
    return with_choices(content) if lab is Lab.SUITE else content


def os_runs(survey: Survey) -> tuple[str, ...]:
    """Runs of the OS lab, newest first."""
    rows = [one for one in reversed(survey.runs) if one.lab is Lab.OS and not one.problem]
    return tuple(one.run for one in rows[:MOST_BESIDE])
