"""The message about a program that failed under valgrind.

    if not done.ok:
        raise LaunchError(failure_message(done))

Valgrind's own lines begin with its process id, and are left out: the program did not say them.
"""

import re

from assay.measure.executor import FinishedProcess
from assay.measure.targets.target import last_line

# Bytes of standard error that are kept: all of it, unless a program prints very much.
LOG_BYTES = 1 << 24
# Lines on standard error that valgrind wrote, and not the program under it.
_OWN = re.compile(r"^(==\d+==|--\d+--|vex \w+->IR:).*\n?", re.MULTILINE)
# Valgrind's complaint about an instruction that it does not know.
_UNKNOWN = re.compile(r"valgrind: Unrecognised instruction|vex \w+->IR: unhandled instruction")
UNKNOWN_INSTRUCTION = (
    "valgrind does not know an instruction of it: this CPU has more than valgrind knows "
    "(-march=native?); build with -march=x86-64-v3"
)


def failure_message(done: FinishedProcess, log: str = "") -> str:
    """How a program failed. `log` is what valgrind wrote to a file instead of standard error."""
    if _UNKNOWN.search(done.stderr_tail) or _UNKNOWN.search(log):
        return UNKNOWN_INSTRUCTION
    said = last_line(_OWN.sub("", done.stderr_tail))
    return f"under callgrind it {done.describe()}{said}"
