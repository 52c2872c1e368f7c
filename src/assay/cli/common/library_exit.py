"""Exit code 1 of a C library that ends the process by itself, made one that is no verdict.

    guard_exits()        # first of all
    leave(code)          # last of all: ends the process

OpenBLAS, which NumPy brings, calls `exit(1)` when it gets no memory: no handler of Python's sees
that. It happens only where memory is limited, so that only then the cost of this is paid, which is
10 ms for loading `ctypes`.
"""

import os
import resource
import sys
from typing import NoReturn

_NOT_MEASURED = 3
_SAID = b"error: a library ended Assay for want of memory; allow more memory: ulimit -v\n"
_guards: list[object] = []  # kept for as long as C may call it


def guard_exits() -> None:
    """Where memory is limited, watch over how this process ends."""
    limits = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    if all(limit == resource.RLIM_INFINITY for limit in limits):
        return
    import ctypes

    guard = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)(_ended)
    _guards.append(guard)
    ctypes.CDLL(None).on_exit(guard, None)


def leave(code: int) -> NoReturn:
    """End with a code that we chose. Everything is written and tidied up by now."""
    if _guards:
        os._exit(code)  # C would call the guard when there is no Python left to run it
    sys.exit(code)


def _ended(_status: int, _argument: int | None) -> None:
    os.write(2, _SAID)
    os._exit(_NOT_MEASURED)
