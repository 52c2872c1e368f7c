"""The end of a verb: results are shown first and then kept, and neither stops the other.

finish(lambda: print_run(...), lambda: write_whole(page, html))
"""

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress

from assay.errors import AssayError, InputError

Step = Callable[[], None]


def finish(show: Step, *keeps: Step) -> None:
    """Show, then do every one of `keeps`. Raises what went wrong once all were tried."""
    try:
        _show(show)
    finally:
        _keep_all(keeps)


def _show(show: Step) -> None:
    try:
        show()
        sys.stdout.flush()  # results are seen before any file is begun
    except OSError as error:
        _discard_the_rest()
        if isinstance(error, BrokenPipeError):
            raise
        raise InputError(f"cannot be written: {error.strerror}", where="standard output") from None


def _keep_all(keeps: Iterable[Step]) -> None:
    errors: list[AssayError] = []
    for keep in keeps:
        try:
            keep()
        except AssayError as error:
            errors.append(error)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise InputError("; ".join(error.message for error in errors))


def _discard_the_rest() -> None:
    """Or Python tries to write it once more when it ends, and fails with a code of its own."""
    with suppress(OSError):  # standard output is no file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
