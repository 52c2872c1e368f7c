"""What paired rounds said of a change that a history showed: one small file each.

    confirmations = Confirmations(folder)
    confirmations.keep(Confirmation(benchmark=..., before=..., after=..., state="confirmed"))
    confirmations.all()[key_of(("BM_a", "real_time", host), before, after)]

They lie in `confirmations/` of the store. A change measured again replaces what was said of it.
"""

import hashlib
from pathlib import Path

import msgspec

from assay.files import write_whole
from assay.record.store.folder import Folder


class Confirmation(msgspec.Struct, frozen=True, kw_only=True):
    """Of one series between two revisions."""

    benchmark: str
    metric: str
    host: str
    before: str
    after: str
    state: str  # "confirmed", "not reproduced" or "undecided"
    change: float  # as the rounds have it: 0.05 is 5 % more
    low: float | None = None
    high: float | None = None
    rounds: int = 0

    @property
    def key(self) -> str:
        return key_of((self.benchmark, self.metric, self.host), self.before, self.after)


def key_of(series: tuple[str, str, str], before: str, after: str) -> str:
    """Of a series (benchmark, metric, host) and two revisions."""
    return hashlib.sha256("\0".join((*series, before, after)).encode()).hexdigest()[:32]


class Confirmations:
    """Those of one store."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder.root / "confirmations"

    def keep(self, one: Confirmation) -> None:
        """Raises `InputError`."""
        self._folder.mkdir(parents=True, exist_ok=True)
        write_whole(msgspec.json.encode(one), self._folder / f"{one.key}.json")

    def all(self) -> dict[str, Confirmation]:
        """By key; a file that cannot be read says nothing."""
        paths = sorted(self._folder.glob("*.json")) if self._folder.is_dir() else []
        return {one.key: one for path in paths if (one := _read(path))}


def _read(path: Path) -> Confirmation | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Confirmation)
    except (OSError, msgspec.MsgspecError):
        return None  # it is measured again
