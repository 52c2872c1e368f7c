"""Names of symbols as their authors wrote them.

demangled({"_ZN3Wal6appendEv", "memmove"}, executor)     {"_ZN3Wal6appendEv": "Wal::append()"}
"""

import re
import shutil
from collections.abc import Collection

from assay.errors import LaunchError
from assay.measure.executor import Executor, Launch

_MANGLED = re.compile(r"_(?:Z|R)\w[\w.$]*")  # C++ and Rust
_AT_ONCE = 200  # of one command line
_TIMEOUT_S = 30.0


def demangled(symbols: Collection[str], executor: Executor) -> dict[str, str]:
    """Of those that are mangled, as far as c++filt knows them."""
    program = shutil.which("c++filt")
    mangled = sorted(one for one in symbols if _MANGLED.fullmatch(one))
    found: dict[str, str] = {}
    for start in range(0, len(mangled) if program else 0, _AT_ONCE):
        some = mangled[start : start + _AT_ONCE]
        try:
            done = executor.run(Launch((str(program), *some), _TIMEOUT_S))
        except LaunchError:
            return found
        lines = done.stdout.split("\n")[:-1]
        if done.ok and len(lines) == len(some):
            found.update(zip(some, lines, strict=True))
    return found
