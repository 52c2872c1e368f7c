"""assay runs: what is in the store of runs; how to name it, take it out, share it, compact it."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.exit_codes import BAD_INPUT, DONE
from assay.errors import UsageError


class Action(StrEnum):
    """What `assay runs` can do with runs."""

    LIST = "list"
    SHOW = "show"
    LABEL = "label"
    DELETE = "delete"
    EXPORT = "export"
    IMPORT = "import"
    PUSH = "push"
    PULL = "pull"
    COMPACT = "compact"


_Action = Annotated[Action, typer.Argument(help="What to do.")]
_Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUN|FILE|REMOTE",
        help="show RUN | label RUN NAME | delete RUN... | export RUN | import FILE... | "
        "push [REMOTE] | pull [REMOTE] | compact",
    ),
]
_Last = Annotated[int, typer.Option("--last", metavar="N", help="list: the newest N; 0: all.")]
_Label = Annotated[
    str | None, typer.Option("--label", metavar="NAME", help="import: give the last one this name.")
]
_Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="export: into this file.")
]
_Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="list: for programs.")]


@dataclass(frozen=True, kw_only=True)
class RunsOptions:
    """The arguments of `assay runs`."""

    action: _Action = Action.LIST
    names: _Names = None
    store: opt.Store = None
    last: _Last = 20
    label: _Label = None
    output: _Output = None
    json: _Json = None

    def words(self, fewest: int, most: int | None, usage: str) -> list[str]:
        """The arguments after the action. Raises `UsageError` if they are too few or too many."""
        words = self.names or []
        if len(words) < fewest or (most is not None and len(words) > most):
            raise UsageError("is written otherwise", where=f"runs {self.action}", hint=usage)
        return [word.removeprefix("run:") for word in words]


@command(RunsOptions)
def runs(options: RunsOptions) -> int:
    """List the runs of a store, or show, name, delete, export, import or share some.

    A RUN is LAST, a label, the name of a run, or its beginning. Every verb that
    takes a file of results takes run:RUN too. The store is the folder .assay
    beside the nearest assay.toml, or what --store names.

    push and pull copy the runs that are missing to or from a REMOTE: a folder,
    git:REMOTE[#BRANCH], ssh:[USER@]HOST:PATH or s3://BUCKET[/PREFIX]. Without
    one: that of assay.toml.
    compact merges the files of many runs into few; every run stays what it is.
    """
    from assay.cli.common.store import required_store, store_to_use

    if options.action in (Action.IMPORT, Action.PULL) and options.store:
        store_to_use(options.store)
        return _DO[options.action](options, options.store)
    return _DO[options.action](options, required_store(options.store))


def _list(options: RunsOptions, root: Path) -> int:
    from assay.cli.common.store import print_reading_progress
    from assay.show.terminal.runs import print_runs, runs_json
    from assay.workflows.store import list_runs

    options.words(0, 0, "assay runs list")
    found = list_runs(root, print_reading_progress)
    if options.json:
        from assay.files import write_whole

        write_whole(runs_json(found.runs, found.labels), options.json)
    print_runs(found.runs, found.labels, last=options.last)
    return DONE


def _show(options: RunsOptions, root: Path) -> int:
    from assay.show.terminal.run import print_run
    from assay.workflows.store import record_and_levels

    (name,) = options.words(1, 1, "assay runs show RUN")
    record, levels = record_and_levels(root, name)
    print_run(record, levels, record.origin)
    return DONE


def _label(options: RunsOptions, root: Path) -> int:
    from assay.workflows.store import label_run

    name, label = options.words(2, 2, "assay runs label RUN NAME")
    typer.echo(f"run:{label} is {label_run(root, name, label)}")
    return DONE


def _delete(options: RunsOptions, root: Path) -> int:
    from assay.workflows.store import delete_runs

    for run in delete_runs(root, options.words(1, None, "assay runs delete RUN...")):
        typer.echo(f"deleted {run}")
    return DONE


def _export(options: RunsOptions, root: Path) -> int:
    from assay.workflows.store import export_run

    (name,) = options.words(1, 1, "assay runs export RUN -o FILE")
    output = opt.writable_path(options.output, "-o")
    if output is None:
        raise UsageError("needs a file", where="runs export", hint="-o run.json")
    export_run(root, name, output)
    typer.echo(f"wrote {output}")
    return DONE


def _import(options: RunsOptions, root: Path) -> int:
    import time

    from assay.cli.common.store import print_importing_progress
    from assay.workflows.store import import_file, label_run

    words = options.words(1, None, "assay runs import FILE...")
    for done, word in enumerate(words, 1):
        found = import_file(root, Path(word), time.time())
        said = f"{word} is run:{found.run}"
        if found.was_known:
            said += ", which holds the same file already"
        if found.dated_s is not None:
            date = time.strftime("%Y-%m-%d %H:%M", time.gmtime(found.dated_s))
            said += f", dated as the file is ({date} UTC): it says no date itself"
        typer.echo(said)
        print_importing_progress(done, len(words))
    if options.label:
        label_run(root, found.run, options.label)
    return DONE


def _push(options: RunsOptions, root: Path) -> int:
    from assay.cli.common.sharing import push_or_pull

    return push_or_pull("push", root, options.words(0, 1, "assay runs push [REMOTE]"))


def _pull(options: RunsOptions, root: Path) -> int:
    from assay.cli.common.sharing import push_or_pull

    return push_or_pull("pull", root, options.words(0, 1, "assay runs pull [REMOTE]"))


def _compact(options: RunsOptions, root: Path) -> int:
    from assay.cli.common.store import print_packing_progress
    from assay.show.terminal.compaction import compaction_line
    from assay.workflows.store import compact_runs

    options.words(0, 0, "assay runs compact")
    done = compact_runs(root, print_packing_progress)
    packed = done.runs if done.changed else None
    typer.echo(compaction_line(packed, done.in_packs, done.packs, done.packed_bytes))
    for line in done.problems:
        print(f"assay: {line}", file=sys.stderr)
    return BAD_INPUT if done.problems else DONE


_DO: dict[Action, Callable[[RunsOptions, Path], int]] = {
    Action.LIST: _list,
    Action.SHOW: _show,
    Action.LABEL: _label,
    Action.DELETE: _delete,
    Action.EXPORT: _export,
    Action.IMPORT: _import,
    Action.PUSH: _push,
    Action.PULL: _pull,
    Action.COMPACT: _compact,
}
