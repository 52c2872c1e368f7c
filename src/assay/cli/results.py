"""What becomes of a comparison: printed, written to files, turned into an exit code."""

from pathlib import Path

from assay.cli import DONE, NOT_MEASURED, SLOWER, UNDECIDED
from assay.model import Verdict
from assay.record.writer import write_whole
from assay.show import results_json
from assay.workflows.compare import CompareResult


def print_result(result: CompareResult) -> None:
    """The result on standard output."""
    from assay.show.terminal import output_console, print_judgement

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


def write_files(result: CompareResult, json: Path | None, markdown: Path | None) -> None:
    """Write what was asked for. Raises `InputError` when a file cannot be written."""
    if json is not None:
        write_whole(results_json.encode(_document(result)), json)
    if markdown is not None:
        from assay.show.markdown import markdown as text

        only = (result.only_base, result.only_candidate)
        write_whole(text(result.judgement, only=only, failures=result.failures).encode(), markdown)


def exit_code(result: CompareResult, gate: str) -> int:
    """130/143, then 3, then what the gate says."""
    verdicts = {one.verdict for one in result.judgement.comparisons}
    if result.exit_code is not None:
        return result.exit_code
    if gate and Verdict.SLOWER in verdicts:
        return SLOWER
    if result.failures:
        return NOT_MEASURED
    if gate == "strict" and Verdict.UNDECIDED in verdicts:
        return UNDECIDED
    return DONE


def _document(result: CompareResult) -> dict[str, object]:
    document = results_json.results(
        result.judgement,
        targets=result.targets,
        hosts=result.hosts,
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
    )
    results_json.add_repetitions(document, result.samples)
    return document
