"""What makes each linker put functions in an order that a seed draws.

order = shuffled(names, seed=1, number=0)
order_words("GNU ld", order, folder, script)     # ["-Wl,-T,/.../order.ld"]

Each name gets its place from a hash of seed, number and name: two revisions that have nearly the
same functions have them nearly in the same order, and a function more moves no other past one.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

_PLAIN = re.compile(r"[\w.$]+")  # names that no linker takes for a pattern
_COLDEST = re.compile(r"^\s*\*\(\.text\.unlikely\b", re.MULTILINE)  # the first of .text in a script
_SCRIPT = re.compile(r"^={50}\n(.*?)^={50}$", re.MULTILINE | re.DOTALL)
_PAGE_BYTES = 4096


def linker_of(version: str) -> str:
    """Which linker says this of itself; empty: none that is known. Others name GNU ld as well."""
    for name in ("GNU gold", "mold", "LLD", "GNU ld"):
        if name in version:
            return name
    return ""


def script_in(said: str) -> str:
    """The script of GNU ld, from what it says with --verbose; empty: there is none."""
    found = _SCRIPT.search(said)
    return found[1] if found and _COLDEST.search(found[1]) else ""


def shuffled(names: Iterable[str], seed: int, number: int) -> list[str]:
    """The names in the order of their hashes."""
    return sorted(set(filter(_PLAIN.fullmatch, names)), key=lambda one: _hash(seed, number, one))


def order_words(
    linker: str, order: Sequence[str], folder: Path, script: str, seed: int, number: int
) -> list[str]:
    """What is added to a link; files that it names are written into `folder`."""
    writers: dict[str, Callable[[], list[str]]] = {
        "GNU ld": lambda: _by_script(order, folder, script, seed, number),
        "GNU gold": lambda: _by_file(order, folder, "section-ordering-file", ".text."),
        "LLD": lambda: [
            *_by_file(order, folder, "symbol-ordering-file", ""),
            "-Wl,--no-warn-symbol-ordering",
        ],
        "mold": lambda: [f"-Wl,--shuffle-sections={int(_hash(seed, number, '')[:7], 16)}"],
    }
    return writers[linker]()


def _by_script(
    order: Sequence[str], folder: Path, script: str, seed: int, number: int
) -> list[str]:
    """The linker's own script, with the functions one by one before what it has of .text.

    A gap before them moves what has no section of its own, as libraries of the system have not.
    """
    gap = int(_hash(seed, number, "")[:7], 16) % (_PAGE_BYTES // 64) * 64
    lines = [f"    . = . + {gap};", *(f"    *(.text.{one} .text.hot.{one})" for one in order)]
    place = _COLDEST.search(script)
    assert place, "a script without it was refused before"
    path = folder / "order.ld"
    path.write_text(script[: place.start()] + "\n".join(lines) + "\n" + script[place.start() :])
    return [f"-Wl,-T,{path}"]


def _by_file(order: Sequence[str], folder: Path, option: str, before: str) -> list[str]:
    path = folder / "order.txt"
    path.write_text("".join(f"{before}{one}\n" for one in order))
    return [f"-Wl,--{option}={path}"]


def _hash(seed: int, number: int, name: str) -> str:
    return hashlib.sha256(f"{seed} {number} {name}".encode()).hexdigest()
