import pytest

from assay.errors import InputError
from assay.record.formats.markup import has_root, xml_root


def test_a_document_type_is_refused_before_its_entities_are_expanded() -> None:
    data = b'<!DOCTYPE a [<!ENTITY b "c">]><testsuite><testcase name="&b;" time="1"/></testsuite>'
    with pytest.raises(InputError, match="declares a document type, which is not read"):
        xml_root(data, "f", "JUnit's XML")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("<testsuite/>", True),
        ("<testsuite name='a'>", True),
        ("<?xml version='1.0'?>\n<!-- by hand -->\n<testsuite>", True),
        ("\n <testsuite>", True),
        ("<testsuites>", False),
        ("<other><testsuite>", False),
        ("testsuite", False),
        ("<", False),
        ("<>", False),
    ],
)
def test_the_root_tells_the_format(text: str, is_one: bool) -> None:
    assert has_root(text.encode(), "testsuite") == is_one


def test_a_file_that_breaks_off_is_told_where() -> None:
    with pytest.raises(InputError, match="f: is not JUnit's XML: no element found: line 2"):
        xml_root(b"<testsuite>\n<testcase>", "f", "JUnit's XML")


ROOT = b"<testsuite"


@pytest.mark.parametrize(("before", "is_one"), [(65_536 - len(ROOT), True), (65_527, False)])
def test_the_root_is_looked_for_at_the_beginning(before: int, is_one: bool) -> None:
    comment = b"<!--" + b" " * (before - 7) + b"-->"
    assert has_root(comment + ROOT + b"/>", "testsuite") == is_one


@pytest.mark.parametrize("declared", [b"<!DOCTYPE a>", b"<!ENTITY b 'c'>"])
def test_each_way_to_declare_a_type_is_refused(declared: bytes) -> None:
    with pytest.raises(InputError) as refused:
        xml_root(declared + b"<a/>", "f", "JUnit's XML")
    assert str(refused.value) == (
        "f: declares a document type, which is not read; take the DOCTYPE out of it"
    )


def test_a_file_of_comments_has_no_root() -> None:
    assert not has_root(b"<!-- x -->", "x")
    assert not has_root(b"<?xml?>", "?xml?", "")
    assert not has_root(b"< testsuite", "")
