"""The mark of a store, and which ones this Assay reads."""

import pytest

from assay.errors import InputError
from assay.record.store.mark import PACKED, UNPACKED, check_mark, encoded_mark


def test_marks_are_read_again() -> None:
    assert encoded_mark() == encoded_mark(UNPACKED) == b'{"assay_store": 1}\n'
    assert encoded_mark(PACKED) == b'{"assay_store": 2}\n'
    assert [check_mark(encoded_mark(version), "f") for version in (0, 1, 2)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            b'{"assay_store": 3}',
            "f: is a store of version 3, this Assay reads up to 2; use a newer Assay",
        ),
        (
            b"{}",
            "f: is not the mark of a store: Object missing required field "
            '`assay_store`; write {"assay_store": 1} into it',
        ),
    ],
)
def test_other_marks_are_refused(data: bytes, said: str) -> None:
    with pytest.raises(InputError) as refused:
        check_mark(data, "f")
    assert str(refused.value) == said
