"""Floors kept per host and suite, so that a comparison knows them without measuring.

One small JSON file each under the user's cache folder. A floor of another host
or of other benchmarks is another file; one that cannot be read counts as none.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from assay.model import Floor

_HOST_KEYS = ("name", "cpu_model", "cpus", "kernel", "memory_bytes")


def key(host: Mapping[str, Any], benchmarks: Iterable[str]) -> str:
    """Which host and which suite, as a file name."""
    words = [str(host.get(name)) for name in _HOST_KEYS] + sorted(set(benchmarks))
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]


def save(floor: Floor, floor_key: str) -> Path:
    """Keep `floor`; returns where."""
    path = _folder() / f"{floor_key}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(floor))
    return path


def load(floor_key: str) -> Floor | None:
    """The floor kept under this key, if there is one."""
    path = _folder() / f"{floor_key}.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=Floor)
    except (OSError, msgspec.DecodeError):
        return None


def _folder() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "assay" / "floors"
