"""Prints a comparison, and writes the files asked for: JSON, Markdown, JUnit, HTML."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from assay.cli.common.gate import Gate
from assay.cli.common.options import Files
from assay.cli.common.repeating import repeating_command
from assay.compare_py import ComparePyEntry
from assay.encoding import utf8
from assay.files import write_whole
from assay.findings import Findings
from assay.show.export import results_json
from assay.show.export.gbench_table import gbench_table
from assay.show.terminal.console import output_console, print_failures
from assay.show.words import format
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.gbench_table import GbenchTableOptions, table_of_files, table_of_result
from assay.workflows.compare.result import CompareResult
from assay.workflows.contents.comparison import comparison_document, of_comparison


def show_result(
    plan: ComparePlan,
    result: CompareResult,
    gate: Gate | None,
    like: GbenchTableOptions | None,
    *,
    every: bool,
) -> None:
    """Print the result; `like` are the options of compare.py's table, None: Assay's own table."""
    if like:
        print_like_compare_py(plan, result, like)
    else:
        print_result(result, gate, every=every)


def print_result(result: CompareResult, gate: Gate | None = None, *, every: bool = False) -> None:
    """Print the verdicts, where the record is, and whether measuring was interrupted."""
    from assay.show.terminal.compare import print_judgement

    console = output_console()
    print_judgement(
        console,
        result.judgement,
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
        gated=gate is not None,
        every=every,
    )
    if result.kept_in:
        seed = result.record.facts.seed if result.record else None
        console.print(format.record_line(result.kept_in, seed), style="dim", markup=False)
    if result.interrupted_by:
        console.print("interrupted: this is what was measured until then", style="yellow")


def print_files_like_compare_py(plan: ComparePlan, wanted: GbenchTableOptions) -> bool:
    """Print compare.py's table of two files of results; False if a target is no such file."""
    found = table_of_files(plan, wanted)
    if found is None:
        return False
    _print_table(found, plan)
    return True


def print_like_compare_py(
    plan: ComparePlan, result: CompareResult, wanted: GbenchTableOptions
) -> None:
    """Print compare.py's table of what was just measured."""
    _print_table(table_of_result(plan, result, wanted), plan)
    print_failures(output_console(), result.failures)


def _print_table(entries: Sequence[ComparePyEntry], plan: ComparePlan) -> None:
    console = output_console()
    colour = console.is_terminal and not console.no_color
    console.file.write(gbench_table(entries, alpha=plan.settings.alpha, colour=colour))


def file_writers(
    plan: ComparePlan, result: CompareResult, files: Files, gate: Gate | None
) -> Iterator[Callable[[], None]]:
    """For each file asked for a function that writes it, and raises `InputError` if it cannot."""
    forms = ((_json, files.json), (partial(_markdown, plan), files.markdown), (_junit, files.junit))
    for form, path in (*forms, (_html, files.html)):
        if path is not None:
            yield partial(_write, form, result, gate, path)


Form = Callable[[CompareResult, Gate | None], bytes]


def _write(form: Form, result: CompareResult, gate: Gate | None, path: Path) -> None:
    write_whole(form(result, gate), path)


def _json(result: CompareResult, _gate: Gate | None) -> bytes:
    return results_json.encode(comparison_document(result))


def _markdown(
    plan: ComparePlan,
    result: CompareResult,
    gate: Gate | None,
    explained: tuple[Findings, ...] = (),
) -> bytes:
    from assay.show.export.markdown import markdown

    seed = result.record.facts.seed if result.record else None
    text = markdown(
        result.judgement,
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
        gated=gate is not None,
        command=repeating_command(plan, gate, seed),
        explained=explained,
    )
    return utf8(text)


def _junit(result: CompareResult, gate: Gate | None) -> bytes:
    from assay.show.export.junit import junit

    return utf8(junit(result.judgement, failures=result.failures, gated=gate is not None))


def _html(result: CompareResult, gate: Gate | None, explained: tuple[Findings, ...] = ()) -> bytes:
    from assay.show.page.report import page

    gated = gate is not None
    content = of_comparison(result)
    return page(msgspec.structs.replace(content, gated=gated, explained=explained))


def explain_in_files(
    plan: ComparePlan,
    result: CompareResult,
    files: Files,
    gate: Gate | None,
    explained: tuple[Findings, ...],
) -> None:
    """Write the page and the Markdown again, now with the answers of `assay why`, if asked for."""
    if files.html is not None and explained:
        write_whole(_html(result, gate, explained), files.html)
    if files.markdown is not None and explained:
        write_whole(_markdown(plan, result, gate, explained), files.markdown)
