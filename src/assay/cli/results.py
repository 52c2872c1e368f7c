"""What becomes of a comparison: printed, written to files, turned into an exit code."""

from collections.abc import Sequence

from assay.cli import DONE, NOT_MEASURED, SLOWER, UNDECIDED
from assay.cli.files import Files
from assay.model import Verdict
from assay.record.writer import write_whole
from assay.show import results_json
from assay.show.gbench_table import Entry, gbench_table
from assay.show.terminal import output_console
from assay.workflows import like_compare_py
from assay.workflows.judging import CompareResult
from assay.workflows.like_compare_py import Wanted
from assay.workflows.plan import ComparePlan
from assay.workflows.report import comparison_document, of_comparison


def print_result(result: CompareResult) -> None:
    """The result on standard output."""
    from assay.show.terminal import print_judgement

    console = output_console()
    print_judgement(
        console,
        result.judgement,
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
    )
    if result.kept_in:
        console.print(f"record: {result.kept_in}", style="dim", markup=False)
    if result.exit_code:
        console.print("interrupted: this is what was measured until then", style="yellow")


def print_files_like_compare_py(plan: ComparePlan, wanted: Wanted) -> bool:
    """compare.py's table of two files; False when one of the targets is none."""
    found = like_compare_py.of_files(plan, wanted)
    if found is None:
        return False
    _print_table(found, plan)
    return True


def print_like_compare_py(plan: ComparePlan, result: CompareResult, wanted: Wanted) -> None:
    """compare.py's table of what was just measured."""
    from assay.show.terminal import print_failures

    _print_table(like_compare_py.of_result(plan, result, wanted), plan)
    print_failures(output_console(), result.failures)


def _print_table(entries: Sequence[Entry], plan: ComparePlan) -> None:
    console = output_console()
    colour = console.is_terminal and not console.no_color
    console.file.write(gbench_table(entries, alpha=plan.settings.alpha, colour=colour))


def write_files(result: CompareResult, files: Files) -> None:
    """Write what was asked for. Raises `InputError` when a file cannot be written."""
    judgement, failures = result.judgement, result.failures
    if files.json is not None:
        write_whole(results_json.encode(comparison_document(result)), files.json)
    if files.markdown is not None:
        from assay.show.markdown import markdown

        only = (result.only_base, result.only_candidate)
        write_whole(markdown(judgement, only=only, failures=failures).encode(), files.markdown)
    if files.junit is not None:
        from assay.show.junit import junit

        write_whole(junit(judgement, failures=failures).encode(), files.junit)
    if files.html is not None:
        from assay.show.page import page

        write_whole(page(of_comparison(result)), files.html)


def exit_code(result: CompareResult, gate: str) -> int:
    """130/143, then 3, then what the gate says."""
    verdicts = {one.verdict for one in result.judgement.comparisons}
    if result.exit_code is not None:
        return result.exit_code
    if gate and Verdict.SLOWER in verdicts:
        return SLOWER
    if result.failures:
        return NOT_MEASURED
    if gate == "strict" and (not verdicts or Verdict.UNDECIDED in verdicts):
        return UNDECIDED
    return DONE
