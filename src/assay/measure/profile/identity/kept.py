"""Footprints that were made once, kept for each build.

    kept = KeptFootprints(Footprints(executor), cache_folder() / "footprints")
    kept.footprint(target, "BM_find", iterations=5000)      made, or read when it was made before

One is used again while the executable, the libraries and the files that it opened are what they
were. Where nothing can be written, each is made anew.
"""

import contextlib
from pathlib import Path

import msgspec

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.files import write_whole
from assay.measure.profile.identity.footprint import Footprints, file_digest
from assay.measure.profile.identity.labels import digest
from assay.measure.targets.gbench import GBenchTarget
from assay.same_code import Footprint
from assay.small_files import MB, read_small
from assay.typed_json import decoded

_LARGEST = 64 * MB
_MOST_KEPT = 2_000  # files, some ten to hundred kilobytes each


class KeptFootprints:
    """Any number of processes may use one folder at once."""

    def __init__(self, made: Footprints, folder: Path) -> None:
        self._made, self._folder = made, folder

    def footprint(
        self, target: GBenchTarget, benchmark: str, iterations: int, loop_s: float = 0.0
    ) -> Footprint:
        """Of at least so many iterations, as far as tracing allows. Raises nothing."""
        try:
            place = self._folder / f"{self._key(target, benchmark)}.json"
        except OSError as error:
            return Footprint(refused=str(error))
        known = _read(place)
        if known is not None and known.asked >= iterations and _is_current(known):
            return known
        made = self._made.footprint(target, benchmark, iterations, loop_s)
        made = msgspec.structs.replace(made, asked=iterations)
        if not made.refused:
            with contextlib.suppress(OSError, InputError):  # the next one is made anew
                self._folder.mkdir(parents=True, exist_ok=True)
                write_whole(json_bytes(made), place)
                self._trim()
        return made

    def _key(self, target: GBenchTarget, benchmark: str) -> str:
        """Of everything but what it opens, which only running it tells."""
        program = target.argv[0]
        words = [self._made.version, file_digest(program), *target.argv, benchmark]
        return digest("\0".join(words).encode(errors="surrogateescape"))

    def _trim(self) -> None:
        kept = sorted(self._folder.glob("*.json"), key=lambda one: one.stat().st_mtime)
        for old in kept[: max(0, len(kept) - _MOST_KEPT)]:
            old.unlink(missing_ok=True)


def _read(place: Path) -> Footprint | None:
    """None where there is none, or it was damaged or written by another version."""
    try:
        return decoded(read_small(place, _LARGEST), Footprint, where=str(place), what="a footprint")
    except InputError:
        return None


def _is_current(known: Footprint) -> bool:
    try:
        return all(file_digest(path) == content for path, content in known.files.items())
    except (OSError, InputError):
        return False
