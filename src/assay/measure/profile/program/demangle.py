"""Demangles the symbol names that linkers use.

demangled(["_ZN3Wal6appendEv"], executor)       {"_ZN3Wal6appendEv": "Wal::append()"}
"""

import shutil
from collections.abc import Iterable

from assay.errors import LaunchError
from assay.measure.executor import Executor, Launch

_TIMEOUT_S = 60.0  # seconds that `c++filt` may take
_LETTERS_AT_ONCE = 100_000  # characters of symbols on one command line, far below Linux's limit
_LONGEST = 16_000  # characters of a symbol: longer ones were cut, and cannot be demangled


def demangled(symbols: Iterable[str], executor: Executor) -> dict[str, str]:
    """The demangled name of each symbol; the symbol itself if `c++filt` is missing or fails."""
    found = {one: one for one in symbols}
    program = shutil.which("c++filt")
    if program is None:
        return found
    for some in _symbols_that_fit_one_command(
        [one for one in found if one.startswith(("_Z", "_R"))]
    ):
        try:
            done = executor.run(Launch((program, *some), _TIMEOUT_S))
        except LaunchError:
            return found
        lines = done.stdout.splitlines()
        if done.ok and len(lines) == len(some):
            found.update(zip(some, lines, strict=True))
    return found


def _symbols_that_fit_one_command(symbols: list[str]) -> Iterable[list[str]]:
    """The symbols in groups that fit on one command line."""
    portion, letters = list[str](), 0
    for one in symbols:
        if len(one) >= _LONGEST or not one.isprintable():
            continue
        if portion and letters + len(one) > _LETTERS_AT_ONCE:
            yield portion
            portion, letters = [], 0
        portion.append(one)
        letters += len(one)
    if portion:
        yield portion
