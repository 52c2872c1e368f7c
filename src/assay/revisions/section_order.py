"""Makes each linker put functions in a random order that depends on a seed.

order = shuffled_names(names, seed=1, number=0)
order_words(Linker.LD, order, folder, script)     # ["-Wl,-T,/.../order.ld"]

Each name's place comes from a hash of seed, number and name. So two revisions with nearly the same
functions have them in nearly the same order, and an added function moves no other past another one.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path

_PLAIN = re.compile(r"[\w.$]+")  # names that no linker takes for a pattern
# The first line of .text in a linker script: the order of functions is put before it.
_COLDEST = re.compile(r"^\s*\*\(\.text\.unlikely\b", re.MULTILINE)
# The linker script within what `ld --verbose` prints.
_SCRIPT = re.compile(r"^={50}\n(.*?)^={50}$", re.MULTILINE | re.DOTALL)
_PAGE_BYTES = 4096  # bytes of a page of memory


class Linker(StrEnum):
    """A linker; the value occurs in the version that it prints. GNU ld is last, because others
    mention it."""

    GOLD = "GNU gold"
    MOLD = "mold"
    LLD = "LLD"
    LD = "GNU ld"


def linker_of(version: str) -> Linker | None:
    """The linker that prints this version; None if it is unknown."""
    return next((one for one in Linker if one.value in version), None)


def script_in(said: str) -> str:
    """GNU ld's own linker script, from what it prints with --verbose; empty if there is none."""
    found = _SCRIPT.search(said)
    return found[1] if found and _COLDEST.search(found[1]) else ""


def shuffled_names(names: Iterable[str], seed: int, number: int) -> list[str]:
    """The names in a random order that `seed` and `number` decide; odd names are left out."""
    return sorted(
        set(filter(_PLAIN.fullmatch, names)), key=lambda one: _ordering_hash(seed, number, one)
    )


def order_words(
    linker: Linker, order: Sequence[str], folder: Path, script: str, seed: int, number: int
) -> list[str]:
    """Words to add to a link so that functions are in this order. Files that they name are written
    into `folder`."""
    writers: dict[Linker, Callable[[], list[str]]] = {
        Linker.LD: lambda: _words_by_script(order, folder, script, seed, number),
        Linker.GOLD: lambda: _words_by_file(order, folder, "section-ordering-file", ".text."),
        Linker.LLD: lambda: [
            *_words_by_file(order, folder, "symbol-ordering-file", ""),
            "-Wl,--no-warn-symbol-ordering",
        ],
        Linker.MOLD: lambda: [
            f"-Wl,--shuffle-sections={int(_ordering_hash(seed, number, '')[:7], 16)}"
        ],
    }
    return writers[linker]()


def _words_by_script(
    order: Sequence[str], folder: Path, script: str, seed: int, number: int
) -> list[str]:
    """The linker's own script, with the functions listed one by one before the rest of .text.

    A gap before them moves functions without a section of their own, as in system libraries.
    """
    gap = int(_ordering_hash(seed, number, "")[:7], 16) % (_PAGE_BYTES // 64) * 64
    lines = [f"    . = . + {gap};", *(f"    *(.text.{one} .text.hot.{one})" for one in order)]
    place = _COLDEST.search(script)
    assert place, "a script without it was refused before"
    path = folder / "order.ld"
    path.write_text(script[: place.start()] + "\n".join(lines) + "\n" + script[place.start() :])
    return [f"-Wl,-T,{path}"]


def _words_by_file(order: Sequence[str], folder: Path, option: str, before: str) -> list[str]:
    """The words for a linker that reads the order from a file, which is written here."""
    path = folder / "order.txt"
    path.write_text("".join(f"{before}{one}\n" for one in order))
    return [f"-Wl,--{option}={path}"]


def _ordering_hash(seed: int, number: int, name: str) -> str:
    """The hash by which names are ordered."""
    return hashlib.sha256(f"{seed} {number} {name}".encode()).hexdigest()
