"""assay index PLUGIN: drive an index, sweep over settings, kill it and look.

The flags of a single run and of `--crash` are the native programs', which take the
place of this process: see `assay index --help`.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.exit_codes import DONE
from assay.cli.common.options import FileOptions

# Typer passes on all words of this verb as they were typed, even --help: the function `index`
# decides which native program they are for.
SETTINGS = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}

_FORMS = """\
assay index PLUGIN [FLAGS]              drive one index: flags below
assay index --crash N PLUGIN [FLAGS]    kill it N times, look what is lost: --crash 1 --help
assay index --sweep PLAN.toml [-o FILE] [--html FILE] [--quiet]
                                        plug-ins x threads x mixes x distributions x sizes
  each with --when-busy refuse          ends while another measurement runs on this machine;
                                        without it: waits for it
"""
_Sweep = Annotated[
    Path, typer.Option("--sweep", metavar="PLAN", help="Run every point of this plan.")
]


def index(context: typer.Context) -> int:
    """Drive an index or key-value store behind a plug-in: throughput, latency, correctness."""
    written = context.args
    if _has_flag(written, "--sweep"):
        return int(_sweeps(written, prog_name="assay index", standalone_mode=False) or DONE)
    left, waits = _split_off_when_busy(written)
    if _has_flag(written, "--crash"):
        return _exec_program("assay-crash", left, waits=waits)
    if "--help" in written or "-h" in written:
        print(_FORMS, flush=True)
    return _exec_program("assay-index", left, waits=waits)


def _split_off_when_busy(written: list[str]) -> tuple[list[str], bool]:
    """The words without --when-busy, which native programs do not know; and whether to wait."""
    left, asked = [], opt.WAIT
    words = iter(written)
    for word in words:
        name, equals, value = word.partition("=")
        if name == "--when-busy":
            asked = value if equals else next(words, "")
        else:
            left.append(word)
    return left, opt.must_wait_for_others(asked)


def _has_flag(written: list[str], flag: str) -> bool:
    return any(word.split("=")[0] == flag for word in written)


def _exec_program(program: str, arguments: list[str], *, waits: bool) -> int:
    """`exec` a native program in this process, so that signals and exit code are the program's."""
    from assay.errors import NotBuiltError
    from assay.measure.executor import find_launcher

    path = find_launcher().with_name(program)
    if not os.access(path, os.X_OK):
        raise NotBuiltError("the index lab is not part of this installation", where=str(path))
    _hold_machine_lock(arguments, waits=waits)
    os.execv(path, [program, *arguments])


def _hold_machine_lock(arguments: list[str], *, waits: bool) -> None:
    """Take the lock of the machine, kept over `exec` until the program ends; --help needs none."""
    from assay.measure.machine_lock import lock_machine

    if _has_flag(arguments, "--help") or _has_flag(arguments, "-h"):
        return
    lock = lock_machine(lambda text: print(text, file=sys.stderr, flush=True), waits=waits)
    if lock is not None:
        os.set_inheritable(lock, True)


@dataclass(frozen=True, kw_only=True)
class SweepOptions(FileOptions):
    """The arguments of `assay index --sweep`."""

    plan: _Sweep
    when_busy: opt.WhenBusy = opt.WAIT
    quiet: opt.Quiet = False


@command(SweepOptions)
def _sweep(options: SweepOptions) -> int:
    """Run a sweep. What assay-index is to be told stands in the plan, under [flags]."""
    from assay.cli.common.outcome import exit_code, show_then_keep, write_page
    from assay.cli.common.runtime import open_runtime
    from assay.history import Lab
    from assay.show.terminal.index_lab import print_sweep
    from assay.workflows.contents.run import of_sweep
    from assay.workflows.index_lab.plan import read_plan
    from assay.workflows.index_lab.sweep import keep_sweep, run_sweep

    sweep = read_plan(options.plan, fresh_seed=opt.seed_or_new(None))
    keep = options.destination(Lab.INDEX)
    keep = replace(
        keep, output=keep.output or opt.writable_path(options.plan.with_suffix(".json"), "-o")
    )
    html = options.page_file()
    with open_runtime(options.quiet, waits=opt.must_wait_for_others(options.when_busy)) as runtime:
        result = run_sweep(sweep, keep, runtime)
    content = of_sweep(result.record)
    show_then_keep(
        lambda: print_sweep(content.sweep, result.record.failures),
        lambda: _print_places_of_results(keep_sweep(result), sweep.seed),
        lambda: write_page(html, lambda: content),
    )
    return exit_code(result.interrupted_by, failed=bool(result.record.failures))


def _print_places_of_results(places: str, seed: int) -> None:
    from assay.show.terminal.index_lab import print_kept

    print_kept(places, seed)


_sweeps = typer.Typer(add_completion=False, rich_markup_mode=None)
_sweeps.command()(_sweep)
