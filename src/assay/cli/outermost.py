"""The outermost handler: turns whatever ends a command line into an exit code and a sentence.

    code = run(sys.argv[1:])       # as `main` does: streams, signals, what killed runs left
    code = invoke(["list", ...])   # the verb and its errors only

An error of the user's machine (no memory, no descriptors, a folder that cannot be read) is reported
in one line. A traceback and exit code 70 are for defects. Exit code 1 is a gate's verdict and
nothing else: any other 1 that arrives here is reported as a defect.
"""

import errno
import gc
import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from assay.cli.common.exit_codes import (
    BROKEN_PIPE,
    DEFECT,
    DONE,
    NOT_MEASURED,
    SIGNALLED,
    SLOWER,
    Slower,
)
from assay.cli.common.library_exit import guard_exits
from assay.cli.common.streams import discard_output, open_streams
from assay.cli.common.typed import typed
from assay.errors import AssayError, UsageError
from assay.interrupts import Interrupted, Signals, handling_signals, signals_held_back
from assay.outside_text import guard_standard_streams

# Errors of the operating system that are about the user's machine and no defect of Assay, with what
# to try.
_MORE_MEMORY = "ulimit -v"
_WORLD = {
    errno.EMFILE: "allow more open files: ulimit -n",
    errno.ENFILE: "the whole system has too many open files",
    errno.ENOMEM: f"allow more memory: {_MORE_MEMORY}",
    errno.EAGAIN: "allow more processes: ulimit -u",
    errno.EBADF: "is standard output closed?",
    errno.EACCES: "",
    errno.EPERM: "",
    errno.EROFS: "",
    errno.EIO: "",
    errno.EFBIG: "allow larger files: ulimit -f",
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.ENAMETOOLONG: "",
    errno.ELOOP: "",
    errno.ENOENT: "",
    errno.ENOTDIR: "",
    errno.ESTALE: "",
}
# Part of Python's message on a time whose nanoseconds do not fit into 64 bits.
_NO_TIME = "timestamp too large"
# The name of the exception that a library written in Rust raises when it panics, as it does for
# example where at most 16 files may be open.
_RUST = "PanicException"
# Python's message where the system starts no more threads (EAGAIN).
_NO_THREAD = "can't start new thread"


def run(arguments: list[str]) -> int:
    """One command line from its first instruction to its exit code. Never raises."""
    gc.set_threshold(200_000)  # collect garbage rarely: most objects live until exit
    with handling_signals() as signals:
        open_streams()
        guard_standard_streams()
        guard_exits()
        code = _exit_code_of_step(_clean_up_after_killed_runs)
        if code == DONE:
            code = invoke(arguments)
        code = _exit_code_of_step(_flush_output) or code
        _exit_code_of_step(_remove_scratch_files)
    return _final_exit_code(code, signals)


def invoke(arguments: list[str]) -> int:
    """Run one command line; returns the exit code."""
    with handling_signals():
        try:
            return _checked_exit_code(_run_verb(arguments))
        except BaseException as error:
            return _report_error(error)


def _run_verb(arguments: list[str]) -> object:
    """Run the verb, and return what it returned. Typer's exceptions become errors of Assay."""
    import typer

    from assay.cli.app import app

    typed.set(tuple(arguments))
    try:
        words = _with_gate_value(arguments or ["--help"])
        return app(words, prog_name="assay", standalone_mode=False)
    except typer.exceptions.TyperException as error:
        what = error.format_message().rstrip(".")
        raise UsageError(what, hint=f"try `{_command_of(error)} --help`") from None
    except typer.Exit as error:
        return error.exit_code
    except typer.Abort:
        raise Interrupted(signal.SIGINT) from None


def _command_of(error: Exception) -> str:
    """The command whose options or arguments are wrong: 'assay compare', or 'assay' itself."""
    context = getattr(error, "ctx", None)
    return "assay" if context is None else str(context.command_path)


def _with_gate_value(arguments: list[str]) -> list[str]:
    """The arguments with `--gate` as `--gate=slower`: else a target after it would be its value."""
    return ["--gate=slower" if one == "--gate" else one for one in arguments]


def _checked_exit_code(returned: object) -> int:
    """What a verb returned, as its exit code. Raises if it is none, or is 1 but not of a gate."""
    code = DONE if returned is None else returned
    if not isinstance(code, int) or (code == SLOWER and not isinstance(code, Slower)):
        raise TypeError(f"a verb ended with {code!r}, which is no exit code of its own")
    return code


def _report_error(error: BaseException) -> int:
    """Print what ended the command line, and return the exit code for it."""
    if isinstance(error, SystemExit) and isinstance(error.__context__, BrokenPipeError):
        error = error.__context__  # Typer and Rich turn a broken pipe into exit code 1
    match error:
        case AssayError():
            return _print_error(error.message, error.exit_code, error.details)
        case Interrupted():
            name = signal.Signals(error.signal_number).name
            return _print_error(f"interrupted by {name}", SIGNALLED + error.signal_number)
        case KeyboardInterrupt():
            return _print_error("interrupted", SIGNALLED + signal.SIGINT)
        case BrokenPipeError():
            discard_output()
            return BROKEN_PIPE
        case SystemExit(code=int(code)) if code != SLOWER:
            return code
        case SystemExit(code=None):
            return DONE
    if told := _environment_error(error):
        return _print_error(told, NOT_MEASURED)
    return _print_traceback(error)


def _environment_error(error: BaseException) -> str:
    """The sentence for an error that the user's machine caused; empty if it is a defect."""
    match error:
        case MemoryError():
            return f"there is not enough memory; {_WORLD[errno.ENOMEM]}"
        # `os.getcwd` raises this error without the name of a file.
        case FileNotFoundError(filename=None):
            return "the folder that Assay was started in is not there any more; go to another"
        case OSError(errno=int(number)) if number in _WORLD:
            where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
            hint = f"; {_WORLD[number]}" if _WORLD[number] else ""
            return f"{where}{error.strerror or errno.errorcode[number]}{hint}"
        case ImportError() if not str(error.name).startswith("assay"):
            return f"{_first_cause(error)}; is Assay installed as a whole? Is memory limited?"
        case OverflowError() if _NO_TIME in str(error):
            return "the clock is past the year 2262, which Python cannot tell; set it right"
        case RuntimeError() if _NO_THREAD in str(error):
            return f"no thread can be started; {_WORLD[errno.EAGAIN]}"
    if type(error).__name__ == _RUST:
        what = str(error).partition("\n")[0]
        hint = f"{_WORLD[errno.EMFILE]}, {_MORE_MEMORY}"
        return f"the library that draws charts gave up ({what}); {hint}"
    return _memory_limit_error(error)


def _memory_limit_error(error: BaseException) -> str:
    """The sentence for any error where most of a limited address space is used.

    It can be a failed allocation, which Python does not always say: an import within 30 MB ended
    in "SystemError: error return without exception set". Empty where memory is not limited, or
    half of it was never used.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY or 2 * _peak_of_address_space() < limit:
        return ""
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"{what}, with memory limited to {limit >> 20} MB; {_WORLD[errno.ENOMEM]}"


def _peak_of_address_space() -> float:
    """The most address space this process had, in bytes; infinite if no memory is left to ask."""
    try:
        with Path("/proc/self/status").open(encoding="ascii") as status:
            peak = next(line for line in status if line.startswith("VmPeak:"))
        return 1024 * float(peak.split()[1])
    except (MemoryError, OSError, SystemError, StopIteration):
        return float("inf")


def _first_cause(error: BaseException) -> str:
    """The message of the first failed import in a chain of them.

    The last one, of a library that could not load its own parts, may have forty lines. Another
    exception in the chain, such as for a file that is not in a cache yet, is no cause.
    """
    while cause := error.__cause__ or error.__context__:
        if not isinstance(cause, ImportError):
            break
        error = cause
    return str(error) or type(error).__name__


def _print_error(message: str, code: int, details: tuple[str, ...] = ()) -> int:
    """Print an error, with lines of detail such as the last of a failed build; returns `code`."""
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    for line in details:
        print(f"    {''.join(c if c.isprintable() else '?' for c in line)}", file=sys.stderr)
    return code


def _print_traceback(error: BaseException) -> int:
    """Print the traceback of an error that is a defect of Assay; returns its exit code."""
    import traceback

    traceback.print_exception(error)
    print("error: this is a defect in Assay; please report the lines above", file=sys.stderr)
    return DEFECT


def _exit_code_of_step(step: Callable[[], None]) -> int:
    """Do something before or after the verb.

    Returns `DONE`, or the exit code for the error that ended it.
    """
    try:
        step()
    except BaseException as error:
        return _report_error(error)
    return DONE


def _clean_up_after_killed_runs() -> None:
    """Undo what killed runs had changed on this machine, and say so; it looks at two folders."""
    from assay.scratch import is_os_lab_abandoned, remove_abandoned_folders

    remove_abandoned_folders()
    if is_os_lab_abandoned():
        _clean_os_lab()
    for line in _undo_conditions():
        print(f"assay: {line}", file=sys.stderr)


def _clean_os_lab() -> None:
    from assay.cli.common.runtime import process_executor
    from assay.workflows.os_lab.lab import OsLab, find_lab

    with suppress(AssayError):  # the OS lab is not part of this installation
        OsLab(process_executor(), find_lab()).clean()


def _undo_conditions() -> list[str]:
    from assay.places import undo_folder

    try:
        folder = undo_folder()
        if not folder.is_dir():
            return []
    except (AssayError, OSError):
        # No home folder can be read, so Assay has kept nothing there that could be undone.
        return []
    from assay.measure.conditions.undo_journal import settle_abandoned

    return settle_abandoned(folder)


def _flush_output() -> None:
    """Flush standard output, and report an error like any other.

    At exit Python would flush it, and end with an exit code of its own.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        discard_output()
        if isinstance(error, BrokenPipeError):
            raise
        raise AssayError(f"cannot be written: {error.strerror}", where="standard output") from None


def _remove_scratch_files() -> None:
    from assay.scratch import remove_own_folders

    with signals_held_back():
        remove_own_folders()


def _final_exit_code(code: int, signals: Signals) -> int:
    """The exit code of the process: a signal's comes before any verdict, but hides no defect."""
    if signals.first is not None and code != DEFECT:
        return SIGNALLED + signals.first
    return code
