"""assay os: system calls and C library functions, over processes x threads.

assay os list [CASE]
assay os NAME... [options of libMicro, and the case's own]
assay os all [--filter RE] [--budget S] [-o FILE]
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common.exit_codes import DONE, SIGNALLED
from assay.errors import UsageError
from assay.plurals import count

if TYPE_CHECKING:
    from argparse import Namespace

    from assay.model import Record
    from assay.workflows.common.output import Destination
    from assay.workflows.os_lab.case import OsCaseResult
    from assay.workflows.os_lab.catalogue import CataloguePlan, CatalogueResult
    from assay.workflows.os_lab.lab import OsLab

SETTINGS = {
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
}
_HELP_OF_ALL = "try `assay os all --help`"
_Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="list|all|NAME... [OPTION]...",
        help="What to measure: cases of `assay os list`, or runs of `assay os list --runs`.",
    ),
]


def os_lab(words: _Words = None) -> int:
    """Measure system calls and C library functions, as libMicro did.

    `assay os list` names the cases and the runs of `assay os all`; `assay os
    list CASE` tells a case's options. `assay os exec -E -C 10000 -D 10 -L -S
    -N exec` measures one, `assay os all --budget 5m -o os.json` all of them.
    `--report libmicro` prints what libMicro prints, `--json FILE` keeps the record.
    """
    from assay.cli.common.runtime import process_executor
    from assay.workflows.os_lab.lab import OsLab, find_lab

    if not words:
        raise UsageError("what shall be measured?", where="assay os", hint="try `assay os list`")
    lab = OsLab(process_executor(), find_lab())
    if words[0] == "list":
        return _list(words[1:], lab)
    if words[0] == "all":
        return _measure_catalogue(words[1:], lab)
    return _measure_named(words, lab)


# ---- list -------------------------------------------------------------------------------


def _list(words: list[str], lab: "OsLab") -> int:
    from assay.show.terminal import os_lab

    if not words:
        os_lab.print_cases(lab.cases())
    elif words == ["--runs"]:
        os_lab.print_runs(lab.catalogue())
    elif words == ["--markdown"]:
        print(os_lab.markdown(lab.cases(), lab.catalogue()), end="")
    elif words == ["--target"]:
        print(lab.benchmarks())
    elif len(words) == 1 and not words[0].startswith("-"):
        print(lab.help(words[0]), end="")
    else:
        raise UsageError(
            "takes --runs, --target, --markdown or the name of a case",
            where="assay os list " + words[0],
        )
    return DONE


# ---- NAME... ----------------------------------------------------------------------------


def _measure_named(words: list[str], lab: "OsLab") -> int:
    cases = {case.name for case in lab.cases()}
    runs = {run.name: run.words for run in lab.catalogue()}
    chosen, options = _split_cases_from_options(words, cases | runs.keys())
    codes = []
    for name in chosen:
        own = (name,) if name in cases else runs[name]
        codes.append(_measure_case((*own, *options), lab))
        if codes[-1] > SIGNALLED:
            break
    return max(codes)


def _split_cases_from_options(words: list[str], known: set[str]) -> tuple[list[str], list[str]]:
    """The leading names of cases and runs, and the words after them: options and operands."""
    names = []
    for word in words:
        if word not in known:
            break
        names.append(word)
    if not names:
        raise UsageError("no such case or run", where=words[0], hint="see `assay os list`")
    return names, words[len(names) :]


def _measure_case(words: tuple[str, ...], lab: "OsLab") -> int:
    from assay.cli.common.options import REFUSE, WAIT, must_wait_for_others
    from assay.cli.common.outcome import exit_code, show_then_keep
    from assay.measure.machine_lock import measuring_alone
    from assay.workflows.os_lab.case import measure_case
    from assay.workflows.os_lab.lab import keep

    words, kept = _take_option("--json", "a file", words)
    words, report = _take_option("--report", "a value", words)
    words, when_busy = _take_option("--when-busy", f"{WAIT} or {REFUSE}", words)
    if report not in ("", "libmicro", "none"):
        what = "no such report (there are libmicro and none)"
        raise UsageError(what, where=f"--report {report}")
    with measuring_alone(_print_to_stderr, waits=must_wait_for_others(when_busy or WAIT)):
        measured = measure_case(lab, words)
    sys.stderr.write(_program_messages(measured))
    show_then_keep(
        lambda: _print_measured_case(measured, kept, report),
        lambda: keep(measured.record, kept),
    )
    return exit_code(measured.interrupted_by, failed=_has_failed_run(measured.record))


def _take_option(option: str, needs: str, words: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The words without `option`, which libMicro does not have; and its value, "" if not given."""
    left: list[str] = []
    value = ""
    rest = iter(words)
    for word in rest:
        name, equals, written = word.partition("=")
        if name != option:
            left.append(word)
            continue
        value = written if equals else next(rest, "")
        if not value:
            raise UsageError(f"needs {needs}", where=option)
    return tuple(left), value


def _print_measured_case(measured: "OsCaseResult", kept: str, report: str) -> None:
    """Print the record if `kept` is "-", then libMicro's report or a table, as is asked for."""
    from assay.workflows.os_lab.lab import as_json
    from assay.workflows.os_lab.libmicro import case_report

    if kept == "-":
        sys.stdout.write(as_json(measured.record))
    if report == "libmicro":
        sys.stdout.write(case_report(measured))
    elif not report and kept != "-":
        _print_times(measured.record)


def _print_times(record: "Record") -> None:
    from assay.show.terminal.os_lab import print_times
    from assay.workflows.os_lab.lab import times_of

    print_times(record, times_of(record))


def _program_messages(measured: "OsCaseResult") -> str:
    """The line of libMicro's -E, then the program's messages but for errors, which are recorded."""
    from assay.workflows.os_lab.libmicro import case_echo

    lines = [line for line in measured.said.splitlines() if not line.startswith("error: ")]
    return case_echo(measured) + "".join(f"{line}\n" for line in lines)


def _has_failed_run(record: "Record") -> bool:
    """Whether a run failed. A skipped one did not: the host lacks something, as the output says."""
    from assay.os_lab import lack_of

    return any(lack_of(one) is None for one in record.failures)


# ---- all --------------------------------------------------------------------------------


def _measure_catalogue(words: list[str], lab: "OsLab") -> int:
    from assay.cli.common.options import must_wait_for_others
    from assay.cli.common.outcome import exit_code, show_then_keep
    from assay.measure.clock import MonotonicClock
    from assay.measure.machine_lock import measuring_alone
    from assay.workflows.os_lab.catalogue import confirm_catalogue, run_catalogue

    asked = _parsed_options_of_all(words)
    plan, watch = _catalogue_plan(asked), _print_no_progress if asked.quiet else _print_progress
    with measuring_alone(_print_to_stderr, waits=must_wait_for_others(asked.when_busy)):
        result = run_catalogue(plan, lab, MonotonicClock(), watch)
    if not asked.quiet:
        sys.stderr.write("\n")
    show_then_keep(
        lambda: _print_catalogue(result, asked.report, lab), lambda: confirm_catalogue(plan, result)
    )
    return exit_code(
        result.interrupted_by, failed=result.left > 0 or _has_failed_run(result.record)
    )


def _print_catalogue(result: "CatalogueResult", report: str, lab: "OsLab") -> None:
    from assay.workflows.os_lab.libmicro import record_report

    if report == "libmicro":
        sys.stdout.write(lab.host_facts())
        sys.stdout.write(record_report(result.record, lab))
    else:
        _print_times(result.record)
    sys.stdout.flush()
    print(_line_on_place_of_record(result), file=sys.stderr)


def _parsed_options_of_all(words: list[str]) -> "Namespace":
    import argparse

    from assay.cli.common.options import WAIT

    parser = argparse.ArgumentParser(prog="assay os all", exit_on_error=False, add_help=True)
    parser.add_argument("--filter", default="", metavar="RE", help="runs whose name matches")
    parser.add_argument("--only", default="", choices=("libMicro", "Linux"), help="whose runs")
    parser.add_argument("--budget", metavar="S", help="time to spend: 90, 60s, 5m")
    parser.add_argument("--report", default="table", choices=("table", "libmicro"))
    parser.add_argument("-o", "--output", "--json", metavar="FILE", help="keep the record")
    parser.add_argument("--store", metavar="DIR", help="keep it in this store of runs")
    parser.add_argument("--no-store", action="store_true", help="keep it in none")
    parser.add_argument("--dir", metavar="DIR", help="where files are made, and removed again")
    parser.add_argument("-C", dest="samples", metavar="N", help="samples of each thread")
    parser.add_argument("--when-busy", default=WAIT, metavar="W", help="wait, or refuse")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    try:
        asked, unknown = parser.parse_known_args(words)
    except argparse.ArgumentError as error:
        raise UsageError(str(error), where="assay os all", hint=_HELP_OF_ALL) from None
    if unknown:
        where = f"assay os all {unknown[0]}"
        raise UsageError("no such option", where=where, hint=_HELP_OF_ALL)
    return asked


def _catalogue_plan(asked: "Namespace") -> "CataloguePlan":
    from assay.cli.common import options as opt
    from assay.workflows.os_lab.catalogue import CataloguePlan

    return CataloguePlan(
        filter=asked.filter,
        origin=asked.only,
        budget_s=None if asked.budget is None else opt.parse_seconds(asked.budget, "--budget"),
        keep=_catalogue_destination(asked.output, asked.store, is_left_out=asked.no_store),
        more=_options_of_cases(asked.dir, asked.samples),
    )


def _catalogue_destination(
    output: str | None, store: str | None, *, is_left_out: bool
) -> "Destination":
    """Where the record of `assay os all` is kept: its file, and a store unless it is left out.

    Raises `UsageError`, `InputError`.
    """
    from assay.cli.common.options import FileOptions
    from assay.history import Lab

    options = FileOptions(
        output=Path(output) if output else None,
        store=Path(store) if store else None,
        no_store=is_left_out,
    )
    return options.destination(Lab.OS)


def _options_of_cases(folder: str | None, samples: str | None) -> tuple[str, ...]:
    words: list[str] = []
    if folder is not None:
        words += ["--dir", folder]
    if samples is not None:
        words += ["-C", samples]
    return tuple(words)


def _print_to_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _print_progress(done: int, of: int, name: str) -> None:
    end = "\r" if sys.stderr.isatty() else "\n"
    print(f"{done + 1:4} of {of}  {name:<20}", end=end, file=sys.stderr, flush=True)


def _print_no_progress(_done: int, _of: int, _name: str) -> None:
    """A progress function that prints nothing, for --quiet."""


def _line_on_place_of_record(result: "CatalogueResult") -> str:
    if not result.left:
        return f"record: {result.kept_in}"
    are = "is" if result.left == 1 else "are"
    return (
        f"{count(result.left, 'launch')} {are} left; the same command goes on from {result.kept_in}"
    )
