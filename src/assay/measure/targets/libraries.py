"""Shared libraries that a program needs and that are not here: what the loader says of them.

missing_libraries(done, ("./bench",), executor)     # ("libpfm.so.4", "libbenchmark.so.1")
"""

import re

from assay.measure.executor import Executor, FinishedProcess, Launch

# What glibc's loader writes. It ends at the first library, so that it is asked for all of them.
_FIRST = re.compile(r"error while loading shared libraries: (\S+): cannot open")
_EACH = re.compile(r"(?m)^\s*(\S+) => not found$")
_TIMEOUT_S = 10.0


def missing_libraries(
    done: FinishedProcess, argv: tuple[str, ...], executor: Executor
) -> tuple[str, ...]:
    """The libraries for lack of which a program did not start; empty if that is not why."""
    first = _FIRST.search(done.stderr_tail)
    if first is None:
        return ()
    # The loader, which was there to complain, then lists libraries and does not start the program.
    traced = {"LD_TRACE_LOADED_OBJECTS": "1"}
    listed = executor.run(Launch(argv, _TIMEOUT_S, env=traced))
    return tuple(dict.fromkeys((first[1], *_EACH.findall(listed.stdout))))
