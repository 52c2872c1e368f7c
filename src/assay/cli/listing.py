"""assay list TARGET: the names of its benchmarks."""

import sys
from dataclasses import dataclass
from functools import partial

from assay.cli.common import options as opt
from assay.cli.common.command import command


@dataclass(frozen=True, kw_only=True)
class ListOptions:
    """The arguments of `assay list`."""

    target: opt.Target
    filter: opt.Filter = ""
    store: opt.Store = None
    timeout: opt.Timeout = opt.TIMEOUT


@command(ListOptions)
def list_(options: ListOptions) -> int:
    """Print the names of TARGET's benchmarks, one a line."""
    from assay.cli.common.runtime import process_executor
    from assay.cli.common.store import store_to_use
    from assay.errors import NoBenchmarksError
    from assay.workflows.common.git_targets import Revisions
    from assay.workflows.common.targets import TargetContext
    from assay.workflows.listing import list_benchmarks

    timeout_s = opt.parse_seconds(options.timeout, "--timeout")
    tell = partial(print, file=sys.stderr)  # announces that a revision is built, which takes time
    store = store_to_use(options.store).folder
    context = TargetContext(process_executor(), timeout_s, Revisions(announce=tell), store)
    names = list_benchmarks(options.target, options.filter, context)
    if not names:
        hint = "try a wider --filter" if options.filter else "is it the right one?"
        raise NoBenchmarksError("no benchmark", where=options.target, hint=hint)
    for name in names:
        print(name)
    return 0
