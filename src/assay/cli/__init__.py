"""The command line: one file per verb, which takes arguments and returns an exit code.

Errors are one line on standard error. This module imports nothing of Assay at its head: an import
can fail, and Python would end with a traceback and exit code 1, which after a gate means "slower".
"""

import contextlib
import os
import resource
import sys

# A comparison takes some 170 MB of address space. Where less is allowed, Python 3.11, OpenBLAS and
# libraries in Rust may end by SIGSEGV or SIGABRT without raising, so that no handler can say why.
_LEAST_ADDRESSES = 256 << 20


def main() -> None:
    """Entry point of `assay`."""
    try:
        _refuse_too_little_memory()
        from assay.cli.common.library_exit import end_process
        from assay.cli.outermost import run

        end_process(run(sys.argv[1:]))
    except SystemExit:
        raise
    except BaseException as error:  # the outermost handler itself could not be imported
        # An orderly exit of Python takes memory, of which there may be none: it once crashed.
        os._exit(_report_failed_start(error))


def invoke(arguments: list[str]) -> int:
    """Run one command line inside this process; returns the exit code."""
    from assay.cli.outermost import invoke

    return invoke(arguments)


def _refuse_too_little_memory() -> None:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < _LEAST_ADDRESSES:
        least, given = _LEAST_ADDRESSES >> 20, limit >> 20
        raise MemoryError(f"it needs {least} MB, and memory is limited to {given} MB: ulimit -v")


def _report_failed_start(error: BaseException) -> int:
    """Say on standard error why Assay cannot start, and return the exit code.

    The codes are those of `exit_codes.py`, which may itself be what cannot be imported. Nothing
    is buffered yet, so the process can end at once.
    """
    interrupted, not_measured = 130, 3
    if isinstance(error, KeyboardInterrupt):
        return interrupted
    what = " ".join(str(error).split()) or type(error).__name__
    with contextlib.suppress(OSError):  # standard error may be closed
        os.write(2, f"error: Assay cannot start: {what}\n".encode(errors="backslashreplace"))
    return not_measured
