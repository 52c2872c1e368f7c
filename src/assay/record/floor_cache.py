"""Floors kept per host and suite, so that a comparison knows them without measuring.

One small JSON file each under the user's cache folder. A floor of another host
or of other benchmarks is another file; one that cannot be read counts as none.
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

_LARGEST = 16 * MB
_USUAL = ("real_time",)  # what `assay floor` measures
_HOST_KEYS = ("name", "cpu_model", "cpus", "kernel", "memory_bytes")


def key(host: Mapping[str, Any], benchmarks: Iterable[str], metrics: Iterable[str] = _USUAL) -> str:
    """Which host, which suite and which metrics, as a file name."""
    words = [str(host.get(name)) for name in _HOST_KEYS] + sorted(set(benchmarks))
    if set(metrics) != set(_USUAL):
        words += ["", *sorted(set(metrics))]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]


def save(floor: Floor, floor_key: str) -> Path:
    """Keep `floor`; returns where. Raises `InputError`."""
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


def load(floor_key: str) -> Floor | None:
    """The floor kept under this key, if there is one."""
    try:
        path = _folder() / f"{floor_key}.json"
        return decoded(read_small(path, _LARGEST), Floor, where=str(path), what="a floor")
    except InputError:
        return None


def _folder() -> Path:
    return cache_folder() / "floors"
