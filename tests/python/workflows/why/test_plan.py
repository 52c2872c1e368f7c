"""Which stages are asked."""

import pytest

from assay.errors import UsageError
from assay.workflows.why.plan import STAGES, stages_of


def test_nothing_written_asks_all() -> None:
    assert stages_of("") == STAGES


def test_their_order_is_ours_and_each_is_asked_once() -> None:
    assert stages_of("time, work,time") == ("work", "time")


def test_an_unknown_one_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError) as error:
        stages_of("work,colour")
    assert "there is no stage 'colour'" in str(error.value)
    assert "work, time" in (error.value.hint or "")
