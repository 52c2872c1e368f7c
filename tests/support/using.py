"""Does everything that commands do with a record and a store, for tests that damage both."""

import io
from contextlib import suppress
from typing import Any

from msgspec.structs import replace
from rich.console import Console

from assay.errors import AssayError
from assay.model import Record
from assay.record.store.folder import Folder
from assay.show.export import results_json
from assay.show.export.junit import junit
from assay.show.export.markdown import markdown
from assay.show.page.report import page
from assay.show.terminal.compare import print_judgement
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.recorded import compare_records, is_two_sided
from assay.workflows.contents.comparison import of_comparison
from assay.workflows.contents.run import of_run
from assay.workflows.contents.side_facts import facts_of
from assay.workflows.store import list_runs, recover_journals


def use(found: Record, *, with_page: bool) -> None:
    """What commands do with a record that was read; pages take longest."""
    facts_of(found)
    one_sided = replace(
        found, samples=tuple(replace(sample, side=None) for sample in found.samples), failures=()
    )
    with suppress(AssayError):
        _show(of_run(found), with_page=with_page)
    with suppress(AssayError):
        plan = ComparePlan("old", "new")
        _show(of_comparison(compare_records(plan, one_sided, one_sided)), with_page=with_page)
    if is_two_sided(found):
        _show(
            of_comparison(compare_records(ComparePlan("both", None), found, None)),
            with_page=with_page,
        )


def _show(content: Any, *, with_page: bool) -> None:
    if with_page:
        page(content)
    results_json.encode(content.document)
    if content.judgement is None:
        return
    only = (content.only_base, content.only_candidate)
    text = io.StringIO()
    console = Console(file=text, width=120)
    print_judgement(console, content.judgement, only=only, failures=content.failures)
    markdown(content.judgement, only=only, failures=content.failures)
    junit(content.judgement, failures=content.failures)
    longest = max(map(len, text.getvalue().split("\n")))
    assert longest <= 200, f"a line of {longest} characters"


def look(store: Folder, runs: int) -> list[str]:
    """What every command does with a store, of which `runs` good runs are left; the messages."""

    told = list(recover_journals(store.root, 1.8e9))
    found = list_runs(store.root)
    good = [row for row in found.runs if not row.problem]
    assert len(good) >= runs, f"{len(good)} good runs are left"
    return told
