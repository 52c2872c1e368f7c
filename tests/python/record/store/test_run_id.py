"""Names of runs: in the order of time, whatever clocks say."""

from datetime import UTC, datetime

import pytest

from assay.record.store.run_id import PATTERN, is_clock_behind, month_of, new_run_id, stored_at

NOW_S = 1_790_000_000.25
NOW = "20260921-141320.250000-a1b2"


@pytest.mark.parametrize(
    ("newest", "step_us", "name"),
    [
        ("", 1, NOW),
        ("20260921-141320.249999-ffff", 1, NOW),
        ("20260921-141320.250000-ffff", 1, "20260921-141320.250001-a1b2"),
        ("20260921-141321.000000-ffff", 1, "20260921-141321.000001-a1b2"),
        ("20260921-141321.000000-ffff", 700_000, "20260921-141321.700000-a1b2"),
        ("20261231-235959.999999-ffff", 1, "20270101-000000.000000-a1b2"),
    ],
)
def test_a_run_is_named_after_the_newest(newest: str, step_us: int, name: str) -> None:
    assert new_run_id(NOW_S, newest, "a1b2", step_us) == name
    assert PATTERN.fullmatch(name)
    assert new_run_id(NOW_S, "20260921-141321.000000-ffff", "a1b2") == "20260921-141321.000001-a1b2"


@pytest.mark.parametrize(
    ("newest", "slack_s", "behind"),
    [
        ("", 60.0, False),
        ("20260921-141420.250000-ffff", 60.0, False),
        ("20260921-141420.250001-ffff", 60.0, True),
        ("20260921-141320.250000-ffff", 0.0, False),
        ("20260921-141320.250001-ffff", 0.0, True),
    ],
)
def test_a_clock_that_was_put_back(newest: str, slack_s: float, *, behind: bool) -> None:
    assert is_clock_behind(NOW_S, newest, slack_s) is behind
    if slack_s == 60.0:
        assert is_clock_behind(NOW_S, newest) is behind


@pytest.mark.parametrize(
    ("run", "when"),
    [
        (NOW, datetime(2026, 9, 21, 14, 13, 20, 250_000, UTC)),
        ("20260101-000000.000000-0000", datetime(2026, 1, 1, tzinfo=UTC)),
        ("20261231-235959.999999-ffff", datetime(2026, 12, 31, 23, 59, 59, 999_999, UTC)),
        ("20260931-010203.000004-0000", datetime(2026, 10, 1, 1, 2, 3, 4, UTC)),
        ("20260230-000000.000000-0000", datetime(2026, 3, 2, tzinfo=UTC)),
    ],
)
def test_when_a_run_was_stored(run: str, when: datetime) -> None:
    assert stored_at(run) == when


def test_the_folder_of_a_run() -> None:
    assert month_of(NOW) == "2026-09"


@pytest.mark.parametrize(
    "name",
    [
        "20260921-141320.250000-a1b",
        "20260921-141320.250000-A1B2",
        "20261321-141320.250000-a1b2",
        "20260921-241320.250000-a1b2",
        "20260921-146020.250000-a1b2",
        "30260921-141320.250000-a1b2",
        "20260900-141320.250000-a1b2",
        "20260932-141320.250000-a1b2",
        "../60921-141320.250000-a1b2",
        f"{NOW}\n",
    ],
)
def test_what_is_no_name_of_a_run(name: str) -> None:
    assert not PATTERN.fullmatch(name)
