"""Names of runs: when each was stored, and four letters so that two in one instant differ.

    >>> new_run_id(1790000000.25, newest="", chance="a1b2")
    '20260921-131320.250000-a1b2'

Names in alphabetical order are runs in the order they were stored. Where a clock has been put
back, the next run is filed a microsecond after the newest one all the same: `is_behind` tells.
"""

import re
from datetime import UTC, datetime

_FORM = "%Y%m%d-%H%M%S.%f"
PATTERN = re.compile(r"\d{8}-\d{6}\.\d{6}-[0-9a-f]{4}")


def new_run_id(now_s: float, newest: str, chance: str) -> str:
    """After `newest`, the name of the newest run there is; empty: the first."""
    stamp_s = max(now_s, _seconds(newest) + 1e-6) if newest else now_s
    return f"{datetime.fromtimestamp(stamp_s, UTC).strftime(_FORM)}-{chance}"


def is_behind(now_s: float, newest: str, slack_s: float = 60.0) -> bool:
    """Whether the clock says a time before the newest run: it has been put back."""
    return bool(newest) and now_s < _seconds(newest) - slack_s


def month_of(run: str) -> str:
    """The folder it lies in: "2026-11"."""
    return f"{run[:4]}-{run[4:6]}"


def stored_at(run: str) -> datetime:
    """When it was stored, UTC."""
    return datetime.fromtimestamp(_seconds(run), UTC)


def _seconds(run: str) -> float:
    return datetime.strptime(run.rpartition("-")[0], _FORM).replace(tzinfo=UTC).timestamp()
