"""What a record of the OS lab says of cases that were not measured."""

from assay.model import Failure
from assay.os_lab import lack_of


def test_a_case_is_skipped_for_a_lack_or_it_failed() -> None:
    skipped = Failure(benchmark="aio", what="skipped: this host: no io_uring")
    assert lack_of(skipped) == "this host: no io_uring"
    assert lack_of(Failure(benchmark="aio", what="it crashed")) is None
