"""The command line: one file per verb, each arguments in, exit code out.

Errors are one line on standard error.
"""

import gc
import signal
import sys

from assay.cli.common.exit_codes import BAD_INPUT, BROKEN_PIPE, DEFECT, DONE, SIGNALLED
from assay.places import undo_folder


def main() -> None:
    """Entry point of `assay`."""
    gc.set_threshold(200_000)  # collect garbage rarely: most objects live until exit
    _undo_what_was_left()
    sys.exit(invoke(sys.argv[1:]))


def invoke(arguments: list[str]) -> int:
    """Run one command line; returns the exit code."""
    import typer

    from assay.cli.app import app
    from assay.errors import AssayError
    from assay.workflows.common.interrupts import Interrupted

    try:
        code = app(_spelled_out(arguments or ["--help"]), prog_name="assay", standalone_mode=False)
    except AssayError as error:
        return _complain(error.message, error.exit_code, error.details)
    except typer.exceptions.TyperException as error:
        return _complain(f"{error.format_message().rstrip('.')}; try `assay --help`", BAD_INPUT)
    except typer.Exit as error:
        return error.exit_code
    except Interrupted as interrupt:
        return _interrupted(interrupt.signal_number)
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted(signal.SIGINT)
    except BrokenPipeError:
        sys.stderr.close()
        return BROKEN_PIPE
    except Exception:
        return _defect()
    return int(code or DONE)


def _undo_what_was_left() -> None:
    """Put back what a killed run had changed, and say so. Usually it costs a look at a folder."""
    folder = undo_folder()
    if not folder.is_dir():
        return
    from assay.measure.conditions.undo_journal import settle_abandoned

    for line in settle_abandoned(folder):
        print(f"assay: {line}", file=sys.stderr)


def _spelled_out(arguments: list[str]) -> list[str]:
    """`--gate` takes its value only after `=`, so that it can stand before a target."""
    return ["--gate=slower" if one == "--gate" else one for one in arguments]


def _complain(message: str, code: int, details: tuple[str, ...] = ()) -> int:
    """`details`: lines that belong to the message, such as the last ones of a failed build."""
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    for line in details:
        print(f"    {''.join(c if c.isprintable() else '?' for c in line)}", file=sys.stderr)
    return code


def _interrupted(by: int) -> int:
    return _complain("interrupted before anything was measured", SIGNALLED + by)


def _defect() -> int:
    """Show the traceback of something that must never happen."""
    import traceback

    traceback.print_exc()
    print("error: this is a defect in Assay; please report the lines above", file=sys.stderr)
    return DEFECT
