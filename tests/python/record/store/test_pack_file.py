"""The bytes of a pack: what is made is read again, and nothing else is."""

import random

import pytest

from assay.errors import InputError
from assay.record.store.pack_file import LARGEST_MEMBER, Entry, content, index, made, packed

RUNS = [f"2026080{day}-131320.250000-a1b2" for day in range(1, 6)]
CONTENTS = {run: random.Random(run).randbytes(50) * n for n, run in enumerate(RUNS)}
PACK = made([packed(run, data) for run, data in CONTENTS.items()])


def entries(data: bytes) -> dict[str, Entry]:
    return index(lambda at, size: data[at : at + size], len(data), "x.zip")


def held(data: bytes) -> dict[str, bytes]:
    return {
        run: content(one, data[one.start : one.start + one.packed], "x.zip")
        for run, one in entries(data).items()
    }


def test_what_was_packed_is_read_again() -> None:
    assert held(PACK) == CONTENTS


@pytest.mark.parametrize("at", range(len(PACK)))
def test_a_changed_byte_is_noticed_or_changes_nothing(at: int) -> None:
    """The rest are dates, rights and copies of numbers, which Assay does not look at."""
    data = bytearray(PACK)
    data[at] ^= 0x41
    try:
        assert held(bytes(data)).items() <= CONTENTS.items()
    except InputError as error:
        assert "is not a whole pack of runs" in str(error) or "damaged" in str(error)  # noqa: PT017


def test_a_pack_that_was_cut_is_refused() -> None:
    for size in range(len(PACK)):
        with pytest.raises(InputError, match="is not a whole pack"):
            entries(PACK[:size])


@pytest.mark.parametrize(
    "runs", [RUNS[::-1], [RUNS[0], RUNS[0]], []], ids=["order", "twice", "none"]
)
def test_an_order_that_is_never_made_is_refused(runs: list[str]) -> None:
    with pytest.raises(InputError, match="is not a whole pack"):
        entries(made([packed(run, b"x") for run in runs]))


def test_a_run_that_is_larger_than_it_says_is_refused_before_it_fills_the_memory() -> None:
    bomb = packed(RUNS[0], bytes(5 * LARGEST_MEMBER))
    with pytest.raises(InputError, match="is not a whole pack"):
        entries(made([bomb]))
    small = bomb._replace(size=LARGEST_MEMBER)
    with pytest.raises(InputError, match="damaged"):
        held(made([small]))


def test_the_same_runs_make_the_same_pack() -> None:
    assert made([packed(run, data) for run, data in CONTENTS.items()]) == PACK
