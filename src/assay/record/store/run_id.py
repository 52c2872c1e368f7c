"""Names of runs: when each was stored, and four letters so that two in one instant differ.

    >>> new_run_id(1790000000.25, newest="", chance="a1b2")
    '20260921-131320.250000-a1b2'

Names in alphabetical order are runs in the order they were stored. Where a clock has been put
back, the next run is filed a moment after the newest one all the same: `is_behind` tells.
"""

import re
from datetime import UTC, datetime, timedelta

_FORM = "%Y%m%d-%H%M%S.%f"
_DATE = r"[12]\d{3}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])"
PATTERN = re.compile(_DATE + r"-([01]\d|2[0-3])([0-5]\d){2}\.\d{6}-[0-9a-f]{4}")


def new_run_id(now_s: float, newest: str, chance: str, step_us: int = 1) -> str:
    """After `newest`, the name of the newest run there is; empty: the first.

    `step_us` is drawn by chance: machines whose clocks are behind the same shared run would
    else all file their next ones in the same microsecond, told apart by four letters only.
    """
    stamp_s = max(now_s, _seconds(newest) + 1e-6 * step_us) if newest else now_s
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
    """Also of a day that its month does not have, which somebody's file may be called by."""
    month = datetime.strptime(run[:6], "%Y%m").replace(tzinfo=UTC)
    clock = timedelta(
        days=int(run[6:8]) - 1,
        hours=int(run[9:11]),
        minutes=int(run[11:13]),
        seconds=int(run[13:15]),
        microseconds=int(run[16:22]),
    )
    return (month + clock).timestamp()
