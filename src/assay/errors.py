"""Every error Assay raises on purpose, as one tree.

AssayError                  exit code 2 unless a subclass says otherwise
 +- UsageError              the command line asks for something that cannot be
 +- InputError              a file or its content cannot be used
 |   +- NoBenchmarksError   nothing to measure or nothing to compare
 +- MeasurementError        a target could not be measured          exit code 3
     +- BuildError          a revision could not be built
     +- LaunchError         one process of it crashed, hung or wrote rubbish
     |   +- NotStartedError one process could not even be started
     +- NotBuiltError       a part of Assay is not installed here

A message says what is wrong, where, and what to try, in one line. `cli` prints
`error: <message>` on stderr, `details` below it, and exits with `exit_code`. A session turns a
`LaunchError` into a recorded failure.
"""

from pathlib import Path


class AssayError(Exception):
    """Root of the tree. `message` fits on one line."""

    exit_code = 2
    details: tuple[str, ...] = ()  # lines to show below the message

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        self.what = what
        self.where = where
        self.hint = hint
        super().__init__(self.message)

    @property
    def message(self) -> str:
        place = f"{self.where}: " if self.where else ""
        hint = f"; {self.hint}" if self.hint else ""
        return " ".join(f"{place}{self.what}{hint}".split())


class UsageError(AssayError):
    """The command line asks for something that cannot be done."""


class InputError(AssayError):
    """A file is missing, unreadable, or not what it should be."""


class NoBenchmarksError(InputError):
    """Nothing is left to measure or to compare."""


class MeasurementError(AssayError):
    """Something could not be measured."""

    exit_code = 3


class LaunchError(MeasurementError):
    """One process of a target crashed, hung, or wrote no usable result."""

    @property
    def reason(self) -> str:
        """Why the process failed, for a message that itself says what was tried."""
        return self.what


class NotStartedError(LaunchError):
    """A process could not be started; `reason` is what the system said."""

    def __init__(self, reason: str, *, where: str = "") -> None:
        self._reason = reason
        super().__init__(f"cannot start: {reason}", where=where)

    @property
    def reason(self) -> str:
        return self._reason


class BuildError(MeasurementError):
    """A revision could not be built. `details` is the end of what its commands wrote."""

    def __init__(
        self, what: str, *, where: str, log: Path, details: tuple[str, ...] = (), hint: str = ""
    ) -> None:
        self.log = log
        self.details = details
        found = f"all its commands wrote is in {log}"
        super().__init__(what, where=where, hint=f"{hint}; {found}" if hint else found)


class NotBuiltError(MeasurementError):
    """A part of Assay is not installed here: it is built where its libraries are."""

    def __init__(self, what: str, *, where: str) -> None:
        hint = "run `./dev setup` in a clone of Assay and use its .venv/bin/assay"
        super().__init__(what, where=where, hint=hint)
