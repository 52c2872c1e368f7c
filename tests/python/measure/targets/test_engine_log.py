"""What the engine's log says of its loops, also where it is cut off or says nonsense."""

import pytest

from assay.measure.targets.engine_log import (
    first_iteration_s,
    is_threaded,
    iterations_of_loops,
    last_real_s,
)

LOG = """\
-- LOG(2): Running BM_a for 1
-- LOG(2): Ran in 0.5/0.25
-- LOG(2): Running BM_a for 10
-- LOG(2): Ran in 4/6
"""


def test_loops_and_their_seconds() -> None:
    assert iterations_of_loops(LOG) == (1, 10)
    assert (first_iteration_s(LOG, max), first_iteration_s(LOG, min), last_real_s(LOG)) == (
        0.5,
        0.25,
        6.0,
    )


@pytest.mark.parametrize("log", ["", "Ran in 1/2", "-- LOG(2): Ran in a/b\n"])
def test_a_log_that_does_not_say_it(log: str) -> None:
    assert iterations_of_loops(log) == ()
    assert (first_iteration_s(log, max), last_real_s(log)) == (0.0, None)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("BM_a/threads:4", True), ("BM_a/threads:12/x", True), ("BM_a/threads:1", False),
     ("BM_a/threads:1/x", False), ("BM_threads/4", False)],
)  # fmt: skip
def test_a_name_says_whether_several_threads_run_it(name: str, expected: bool) -> None:
    assert is_threaded(name) is expected
