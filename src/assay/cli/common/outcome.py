"""The end of a verb: results are shown, then kept; if one of the two fails, the other is done.

show_then_keep(lambda: print_run(...), lambda: write_page(html, lambda: of_run(record)))
return exit_code(result.interrupted_by, failed=bool(record.failures))
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from assay.cli.common.exit_codes import DONE, NOT_MEASURED, SIGNALLED
from assay.cli.common.streams import discard_output
from assay.errors import AssayError, InputError

if TYPE_CHECKING:
    from assay.show.content import Content

Step = Callable[[], None]


def exit_code(interrupted_by: int | None, *, failed: bool) -> int:
    """The exit code of a verb that judges nothing; `interrupted_by` is the number of a signal."""
    if interrupted_by is not None:
        return SIGNALLED + interrupted_by
    return NOT_MEASURED if failed else DONE


def write_page(path: Path | None, content: "Callable[[], Content]") -> None:
    """Write the page of this content to `path`, if a page is asked for."""
    if path is None:
        return
    from assay.files import write_whole
    from assay.show.page.report import page

    write_whole(page(content()), path)


def show_then_keep(show: Step, *keeps: Step) -> None:
    """Call `show`, then every one of `keeps` even if one fails. Errors are raised at the end."""
    try:
        _show(show)
    finally:
        _keep_all(keeps)


def _show(show: Step) -> None:
    try:
        show()
        sys.stdout.flush()  # so that results are seen before any file is written
    except OSError as error:
        discard_output()
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
