"""The real executor, clock and terminal: what the verbs hand to the workflows."""

from collections.abc import Iterator
from contextlib import contextmanager

from assay.measure.clock import MonotonicClock
from assay.measure.executor import ProcessExecutor, find_launcher
from assay.progress import Silence
from assay.workflows.common.runtime import Runtime


def process_executor() -> ProcessExecutor:
    """An executor that runs real processes through the installed launcher."""
    return ProcessExecutor(find_launcher())


@contextmanager
def open_runtime(quiet: bool, *, waits: bool = True) -> Iterator[Runtime]:
    """The runtime of this host, with progress on standard error unless `quiet`.

    `waits`: wait while another measurement runs on this machine; else that is an error.
    """
    if quiet:
        yield Runtime(process_executor(), MonotonicClock(), Silence(), waits)
        return
    from rich.console import Console

    from assay.show.terminal.progress import TerminalProgress

    with TerminalProgress(Console(stderr=True)) as progress:
        yield Runtime(process_executor(), MonotonicClock(), progress, waits)
