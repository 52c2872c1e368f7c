"""Footprints kept in a folder, so that each is made once for a build.

    kept = KeptFootprints(Footprints(executor), cache_folder() / "footprints")
    kept.footprint(target, "BM_find", iterations=5000)      read if it was made before, else made

A kept footprint is valid while the executable, its libraries and the files that it opened are
unchanged. If the folder cannot be written to, each footprint is made anew.
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

_LARGEST = 64 * MB  # bytes of a kept footprint, at most
_MOST_KEPT = 2_000  # files of 10 to 100 kB each; beyond these the oldest are deleted


class KeptFootprints:
    """Footprints of benchmarks, kept in a folder, which several processes may use at once."""

    def __init__(self, made: Footprints, folder: Path) -> None:
        self._made, self._folder = made, folder

    def footprint(
        self, target: GBenchTarget, benchmark: str, iterations: int, loop_s: float = 0.0
    ) -> Footprint:
        """A footprint of at least so many iterations, kept or made now. Raises nothing."""
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
            # A footprint that cannot be kept is made again next time.
            with contextlib.suppress(OSError, InputError):
                self._folder.mkdir(parents=True, exist_ok=True)
                write_whole(json_bytes(made), place)
                self._trim()
        return made

    def _key(self, target: GBenchTarget, benchmark: str) -> str:
        """The name of a benchmark's file. Files that it opens are no part of it, as they are not
        yet known."""
        program = target.argv[0]
        words = [self._made.version, file_digest(program), *target.argv, benchmark]
        return digest("\0".join(words).encode(errors="surrogateescape"))

    def _trim(self) -> None:
        kept = sorted(self._folder.glob("*.json"), key=lambda one: one.stat().st_mtime)
        for old in kept[: max(0, len(kept) - _MOST_KEPT)]:
            old.unlink(missing_ok=True)


def _read(place: Path) -> Footprint | None:
    """The kept footprint; None if there is none, or it is damaged or of another version."""
    try:
        return decoded(read_small(place, _LARGEST), Footprint, where=str(place), what="a footprint")
    except InputError:
        return None


def _is_current(known: Footprint) -> bool:
    """Whether every file that the footprint depends on is unchanged."""
    try:
        return all(file_digest(path) == content for path, content in known.files.items())
    except (OSError, InputError):
        return False
