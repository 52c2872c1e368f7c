"""Floors kept for each host and suite, so that a comparison knows them without measuring.

Each is a small JSON file in the user's cache folder, with its own name for each host and set
of benchmarks. One that cannot be read counts as none.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.files import write_whole
from assay.model import Floor
from assay.places import cache_folder
from assay.small_files import MB, read_small
from assay.typed_json import decoded

_LARGEST = 16 * MB  # bytes of a floor's file, at most
_USUAL = ("real_time",)  # the metrics that `assay floor` measures; its keys do not name them
# Facts by which two hosts count as one.
_HOST_KEYS = ("name", "cpu_model", "cpus", "kernel", "memory_bytes")


def floor_key_of(
    host: Mapping[str, Any], benchmarks: Iterable[str], metrics: Iterable[str] = _USUAL
) -> str:
    """The name under which a floor is kept: a hash of the host, the benchmarks and the metrics."""
    words = [str(host.get(name)) for name in _HOST_KEYS] + sorted(set(benchmarks))
    if set(metrics) != set(_USUAL):
        words += ["", *sorted(set(metrics))]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]


def save_floor(floor: Floor, floor_key: str) -> Path:
    """Keep `floor` under a key; return its path. Raises `InputError` where it cannot be written."""
    path = _folder() / f"{floor_key}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot be made: {error.strerror}",
            where=str(path.parent),
            hint="set XDG_CACHE_HOME to a folder that can be written",
        ) from None
    write_whole(json_bytes(floor), path)
    return path


def load_floor(floor_key: str) -> Floor | None:
    """The floor kept under this key; None where there is none, or it cannot be read."""
    try:
        path = _folder() / f"{floor_key}.json"
        return decoded(read_small(path, _LARGEST), Floor, where=str(path), what="a floor")
    except InputError:
        return None


def _folder() -> Path:
    return cache_folder() / "floors"
