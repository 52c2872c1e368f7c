"""Text as bytes, whatever it holds; and that nothing of ours is encoded in another way."""

import ast

import msgspec
import pytest
from conftest import ROOT

from assay.encoding import json_bytes, legible_text, utf8

BYTE = b"caf\xe9".decode(errors="surrogateescape")  # a name in Latin-1, as a path gives it


class Named(msgspec.Struct):
    name: str
    values: tuple[float, ...] = (1.5,)


def test_what_is_text_stays_as_it_is() -> None:
    assert utf8("µ") == "µ".encode()
    assert json_bytes(Named("µ")) == msgspec.json.encode(Named("µ"))


@pytest.mark.parametrize("value", [BYTE, [BYTE], (BYTE,), {BYTE: BYTE}, Named(BYTE)])
def test_a_byte_that_is_none_is_shown_by_its_number(value: object) -> None:
    decoded = msgspec.json.decode(json_bytes(value))
    assert "caf\\udce9" in str(decoded).replace("\\\\", "\\")
    assert legible_text(BYTE) == "caf\\udce9"


def test_every_document_is_encoded_here() -> None:
    users = {
        path.relative_to(ROOT / "src" / "assay").as_posix()
        for path in (ROOT / "src" / "assay").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "msgspec.json.encode"
    }
    # The undo journal's paths must lead to what is to be undone: it refuses what is no UTF-8.
    assert users == {"encoding.py", "measure/conditions/undo_journal.py"}
