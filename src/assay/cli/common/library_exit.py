"""Turns exit code 1 of a C library that ends the process by itself into 3: 1 means "slower".

    guard_exits()        # first of all
    end_process(code)    # last of all

OpenBLAS, which NumPy brings, calls `exit(1)` when it gets no memory, and no handler in Python sees
that. It happens only where memory is limited, so only there `ctypes` is loaded, which takes 10 ms.
"""

import os
import resource
import sys
from typing import NoReturn

_NOT_MEASURED = 3
_SAID = b"error: a library ended Assay for want of memory; allow more memory: ulimit -v\n"
_guards: list[object] = []  # keeps the function that C calls at exit from being freed by Python


def guard_exits() -> None:
    """Where memory is limited, turn a library's `exit` into a message and exit code 3."""
    limits = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    if all(limit == resource.RLIM_INFINITY for limit in limits):
        return
    import ctypes

    guard = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)(_exit_not_measured)
    _guards.append(guard)
    ctypes.CDLL(None).on_exit(guard, None)


def end_process(code: int) -> NoReturn:
    """End the process with `code`; by now output is written and scratch files are removed."""
    if _guards:
        os._exit(code)  # after `sys.exit` C would call the guard, with no Python left to run it
    sys.exit(code)


def _exit_not_measured(_status: int, _argument: int | None) -> None:
    os.write(2, _SAID)
    os._exit(_NOT_MEASURED)
