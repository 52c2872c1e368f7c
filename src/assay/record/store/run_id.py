"""Names of runs: the time when each was stored, and four hexadecimal digits drawn at random.

    >>> new_run_id(1790000000.25, newest="", chance="a1b2")
    '20260921-141320.250000-a1b2'

Names in alphabetical order are runs in the order in which they were stored. Where a clock has been
put back, the next run is named a moment after the newest one, and `is_clock_behind` says so
(decision 44).
"""

import re
from datetime import UTC, datetime, timedelta

_FORM = "%Y%m%d-%H%M%S.%f"  # of the time in a run's name, in UTC
_DATE = r"[12]\d{3}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])"  # pattern of a date from 1000 to 2999
PATTERN = re.compile(_DATE + r"-([01]\d|2[0-3])([0-5]\d){2}\.\d{6}-[0-9a-f]{4}")


def new_run_id(now_s: float, newest: str, chance: str, step_us: int = 1) -> str:
    """The name of a run stored at `now_s` (since 1970), later than `newest`, the newest run.

    `newest` is empty where there is none. `step_us` is drawn at random, in microseconds: machines
    whose clocks are behind the same shared run would else name their next runs after the same
    microsecond, and only `chance`, four hexadecimal digits, would differ.
    """
    stamp_s = max(now_s, _seconds(newest) + 1e-6 * step_us) if newest else now_s
    return f"{datetime.fromtimestamp(stamp_s, UTC).strftime(_FORM)}-{chance}"


def is_clock_behind(now_s: float, newest: str, slack_s: float = 60.0) -> bool:
    """Whether the clock is more than `slack_s` seconds before the newest run: it was put back."""
    return bool(newest) and now_s < _seconds(newest) - slack_s


def month_of(run: str) -> str:
    """The folder that a run lies in: "2026-11"."""
    return f"{run[:4]}-{run[4:6]}"


def stored_at(run: str) -> datetime:
    """When a run was stored, by its name, in UTC."""
    return datetime.fromtimestamp(_seconds(run), UTC)


def _seconds(run: str) -> float:
    """The time in a run's name, in seconds since 1970; the 31st of a month of 30 days, which a
    stranger's file may have, is the first of the next."""
    month = datetime.strptime(run[:6], "%Y%m").replace(tzinfo=UTC)
    clock = timedelta(
        days=int(run[6:8]) - 1,
        hours=int(run[9:11]),
        minutes=int(run[11:13]),
        seconds=int(run[13:15]),
        microseconds=int(run[16:22]),
    )
    return (month + clock).timestamp()
