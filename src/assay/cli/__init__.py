"""The command line: one file per verb, each arguments in, exit code out.

Exit codes: 0 done; 1 something is slower (with --gate); 2 bad usage or input;
3 something could not be measured; 4 undecided (with --gate=strict); 130 and
143 interrupted. Errors are one line on standard error.
"""

import sys

DONE, SLOWER, BAD_INPUT, NOT_MEASURED, UNDECIDED = 0, 1, 2, 3, 4


def main() -> None:
    """Entry point of `assay`."""
    sys.exit(invoke(sys.argv[1:]))


def invoke(arguments: list[str]) -> int:
    """Run one command line; returns the exit code."""
    import typer

    from assay.cli.app import app
    from assay.errors import AssayError

    try:
        code = app(_spelled_out(arguments), prog_name="assay", standalone_mode=False)
    except AssayError as error:
        return _complain(error.message, error.exit_code)
    except typer.exceptions.TyperException as error:
        return _complain(f"{error.format_message()} Try `assay --help`.", BAD_INPUT)
    except typer.Exit as error:
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted before anything was measured", 130)
    except BrokenPipeError:
        sys.stderr.close()
        return 141
    return int(code or DONE)


def _spelled_out(arguments: list[str]) -> list[str]:
    """`--gate` takes its value only after `=`, so that it can stand before a target."""
    return ["--gate=slower" if one == "--gate" else one for one in arguments]


def _complain(message: str, code: int) -> int:
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    return code
