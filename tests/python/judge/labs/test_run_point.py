"""One run as one number of a history."""

import pytest

from assay.judge.labs.run_point import RunPoint, run_point


def test_the_median_of_launches_and_their_quartiles() -> None:
    found = run_point([(3.0, 1.0, 2.0), (4.0, 2.0, 3.0)], "real_time")
    assert found == RunPoint(1.5, 1.25, 1.75, 2)
    five = run_point([(value,) for value in (10.0, 40.0, 20.0, 50.0, 30.0)], "real_time")
    assert five == RunPoint(30.0, 20.0, 40.0, 5)


def test_no_launch_is_no_point() -> None:
    with pytest.raises(IndexError):
        run_point([], "real_time")
