"""Links a program again as its build did, with its functions in random orders.

files = relink_recorded_program(places, place.links, variables, ends_s)  # objects are compiled once

The drivers recorded each link (`link_recorder`). The same compiler is called with the same words
and objects, and an order of functions in addition. Sources among the words are compiled again.
"""

import filecmp
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from assay.errors import LaunchError
from assay.measure.tied import WaitLimits, run_program
from assay.revisions.drivers import ORDERED
from assay.revisions.elf import functions
from assay.revisions.placements import Placements, RefusedError
from assay.revisions.section_order import Linker, linker_of, order_words, script_in, shuffled_names
from assay.small_files import MB, read_small
from assay.typed_json import decoded

_LARGEST = 16 * MB  # bytes of a recorded link, at most


class _Link(msgspec.Struct, frozen=True):
    """One call of a compiler that linked a program, as `link_recorder` recorded it."""

    compiler: str
    folder: str
    words: tuple[str, ...]
    output: str


def relink_recorded_program(
    places: Placements, links: Path, variables: Mapping[str, str], ends_s: float
) -> tuple[Path, ...]:
    """The program linked again in each random order; that may take until `ends_s`. Raises
    `RefusedError`."""
    return _RepeatedLink(_link_of(places.program, links), dict(variables), ends_s).linked(places)


def _link_of(program: Path, links: Path) -> _Link:
    """The last recorded link that made this program, judged by content, as the program may be a
    copy."""
    for record in sorted(links.glob("*/link.json"), key=lambda one: one.parent.name, reverse=True):
        link = decoded(
            read_small(record, _LARGEST), _Link, where=str(record), what="a recorded link"
        )
        output = Path(link.output)
        if output.is_file() and filecmp.cmp(output, program, shallow=False):
            return link
    raise RefusedError("no compiler that was found by its name linked it")


class _RepeatedLink:
    """Repeats one recorded link, each time with the functions in another order."""

    def __init__(self, link: _Link, variables: dict[str, str], ends_s: float) -> None:
        self._link, self._variables, self._ends_s = link, variables, ends_s

    def linked(self, places: Placements) -> tuple[Path, ...]:
        """The program linked in each random order. Raises `RefusedError`."""
        names = functions(places.program)
        if not names:
            raise RefusedError("it has no symbols, which name the functions")
        places.folder.mkdir()
        scratch = places.folder / "scratch"
        linker = linker_of(self._run(["-Wl,--version"], scratch))
        if linker is None:
            raise RefusedError("its linker is none that is known")
        script = self._script(scratch) if linker is Linker.LD else ""
        scratch.unlink(missing_ok=True)
        for number, target in places.targets():
            order = shuffled_names(names, places.seed, number)
            more = order_words(linker, order, target.parent, script, places.seed, number)
            self._run(more, target)
        files = places.checked_programs()
        # Functions that have no sections of their own stay in one order, and only move together.
        if len(files) > 1 and len({tuple(functions(one)) for one in files}) == 1:
            raise RefusedError("its functions stay in one order")
        return files

    def _script(self, scratch: Path) -> str:
        """GNU ld's own script, to put an order into. Raises `RefusedError` where the link uses
        another."""
        script = script_in(self._run(["-Wl,--verbose"], scratch))
        if not script or any(word.startswith(("-T", "-Wl,-T")) for word in self._link.words):
            raise RefusedError("it is linked by a script of its own")
        return script

    def _run(self, more: Sequence[str], output: Path) -> str:
        """Repeat the link with `more` words; return what it printed. Raises `RefusedError`."""
        # $ORIGIN means the program's folder, and the new programs are in deeper ones.
        origin = str(Path(self._link.output).parent)
        # Drop the flag that sorts by name: with it gold would ignore the random order.
        kept = (one for one in _without_output(self._link.words) if one not in ORDERED)
        words = [one.replace("$ORIGIN", origin) for one in kept]
        try:
            done = run_program(
                (self._link.compiler, *words, *more, "-o", str(output)),
                environment=self._variables,
                folder=Path(self._link.folder),
                patience=WaitLimits(whole_s=max(0.0, self._ends_s - time.monotonic())),
                merged=True,
            )
        except TimeoutError:
            raise RefusedError("linking it again took longer than timeout_s") from None
        except LaunchError as error:
            why = f"its compiler cannot be called again: {error.reason}"
            raise RefusedError(why) from None
        said = done.output.decode(errors="replace")
        if done.code:
            last = (said.strip().splitlines() or ["it says nothing"])[-1]
            raise RefusedError(f"linking it again fails: {last}")
        return said


def _without_output(words: Sequence[str]) -> Iterator[str]:
    """The words of a link without `-o` and the name of its output."""
    is_name = False
    for word in words:
        if is_name or word == "-o":
            is_name = not is_name
        elif not (word.startswith("-o") and len(word) > 2):
            yield word
