"""Where results are kept, as it is said and as it is read."""

import pytest

from assay.workflows.common.output import run_in


@pytest.mark.parametrize(
    ("kept_in", "run"),
    [
        ("run:20260921-1", "20260921-1"),
        ("out.json, run:20260921-1", "20260921-1"),
        ("out.json", ""),
        ("/home/me/.local/state/assay/1.journal", ""),
        ("", ""),
    ],
)
def test_the_stored_run_is_found_among_the_places(kept_in: str, run: str) -> None:
    assert run_in(kept_in) == run
