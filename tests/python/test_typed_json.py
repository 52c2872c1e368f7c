"""What JSON may hold where msgspec asks us: fractions, and values of any type."""

from fractions import Fraction

import msgspec
import pytest

from assay.errors import InputError
from assay.typed_json import converted, decoded


class Holder(msgspec.Struct):
    amount: Fraction | None = None
    facts: dict[str, object] = {}


def test_a_fraction_is_read_as_it_is_written() -> None:
    found = decoded(b'{"amount":"-19/2"}', Holder, where="x", what="a holder")
    assert found.amount == Fraction(-19, 2)


@pytest.mark.parametrize("text", ["1e9", "1/0", "", "1/2/3", "9" * 40])
def test_what_is_no_fraction_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a holder"):
        converted({"amount": text}, Holder, where="x", what="a holder")


@pytest.mark.parametrize("value", ["2", "[1, null]", '"kvm"', '{"a": 1.5}'])
def test_any_value_is_taken_where_any_may_be(value: str) -> None:
    """With a hook for fractions msgspec asks it for `object`, too, and was told no."""
    data = f'{{"facts":{{"x":{value}}}}}'.encode()
    assert decoded(data, Holder, where="x", what="a holder").facts["x"] is not None
