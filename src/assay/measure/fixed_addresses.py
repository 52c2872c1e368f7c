"""How to run a program without randomised addresses, where this machine permits it.

(*fixed_addresses(executor), "valgrind", ...)       ("/usr/bin/setarch", "-R", "valgrind", ...)

Then a hash of a pointer is the same in every run. It costs one more `exec` for each start.
"""

import shutil

from assay.errors import LaunchError
from assay.measure.executor import Executor, Launch

_TIMEOUT_S = 10.0  # seconds that trying `setarch` may take


def fixed_addresses(executor: Executor) -> tuple[str, ...]:
    """Words to put before a command so that it runs without ASLR; none where that is not
    permitted."""
    program = shutil.which("setarch")
    if program is None:
        return ()
    words = (program, "-R")
    try:
        return words if executor.run(Launch((*words, "true"), _TIMEOUT_S)).ok else ()
    except LaunchError:
        return ()
