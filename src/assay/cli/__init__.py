"""The command line: one file per verb, each arguments in, exit code out.

Errors are one line on standard error. Nothing of ours is imported here: an import can fail, and
Python would end with a traceback and exit code 1, which a gate's reader takes for "slower".
"""

import contextlib
import os
import sys


def main() -> None:
    """Entry point of `assay`."""
    try:
        from assay.cli.common.library_exit import leave
        from assay.cli.outermost import run

        leave(run(sys.argv[1:]))
    except SystemExit:
        raise
    except BaseException as error:  # the outermost handler itself could not be had
        sys.exit(_unloaded(error))


def invoke(arguments: list[str]) -> int:
    """Run one command line inside this process; returns the exit code."""
    from assay.cli.outermost import invoke

    return invoke(arguments)


def _unloaded(error: BaseException) -> int:
    """Exit codes as in `exit_codes.py`, which may be what cannot be loaded."""
    interrupted, not_measured = 130, 3
    if isinstance(error, KeyboardInterrupt):
        return interrupted
    what = " ".join(str(error).split()) or type(error).__name__
    with contextlib.suppress(OSError):  # nobody reads it
        os.write(2, f"error: Assay cannot start: {what}\n".encode(errors="backslashreplace"))
    return not_measured
