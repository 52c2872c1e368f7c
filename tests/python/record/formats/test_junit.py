"""Durations of tests in JUnit's XML."""

import pytest

from assay.errors import InputError
from assay.model import Failure, Record
from assay.record.formats.junit import looks_like, parse


def parsed(cases: str, about: str = "") -> Record:
    return parse(f"<testsuites><testsuite {about}>{cases}</testsuite></testsuites>".encode(), "f")


def test_each_occurrence_of_a_case_is_a_launch() -> None:
    found = parsed(
        '<testcase classname="c" name="t" time="1,234.5"/><testcase name="u" time="2"/>'
        '<testcase classname="c" name="t" time="0"/><testcase classname="c" time="3"/>'
        '<testcase time="4"/>'
    )
    assert [(one.benchmark, one.launch, one.values) for one in found.samples] == [
        ("c.t", 0, {"real_time": (1_234.5,)}),
        ("u", 0, {"real_time": (2.0,)}),
        ("c.t", 1, {"real_time": (0.0,)}),
        ("c", 0, {"real_time": (3.0,)}),
        ("unnamed", 0, {"real_time": (4.0,)}),
    ]
    assert {(one.time_unit, one.iterations) for one in found.samples} == {("s", 1)}
    assert found.facts.written == {"tool": "JUnit XML"}


@pytest.mark.parametrize(
    ("inner", "what"),
    [
        ('<failure message=" too slow&#10;by far"/>', "failure: too slow"),
        ("<failure>\n first\nsecond</failure>", "failure: first"),
        ('<error message="">text</error>', "error: text"),
        ("<error/>", "error"),
        ("<system-out/><failure>x</failure>", "failure: x"),
    ],
)
def test_a_case_that_went_wrong_is_a_failure(inner: str, what: str) -> None:
    found = parsed(f'<testcase name="t" time="1">{inner}</testcase><testcase name="u" time="1"/>')
    assert found.failures == (Failure(benchmark="t", what=what),)
    assert [one.benchmark for one in found.samples] == ["u"]


def test_a_case_that_was_skipped_or_not_timed_is_left_out() -> None:
    found = parsed(
        '<testcase name="a" time="1"><skipped/></testcase><testcase name="b"/>'
        '<testcase name="c" time="1"><skipped/><failure/></testcase>'
        '<testcase name="d" time="1"><system-out>x</system-out></testcase>'
    )
    assert [one.benchmark for one in found.samples] == ["d"]
    assert found.failures == ()


def test_where_and_when_stands_at_the_first_suite() -> None:
    about = 'hostname="box" timestamp="2026-01-01"'
    case = '<testcase name="t" time="1"/>'
    expected = {"host_name": "box", "date": "2026-01-01"}
    assert parsed(case, about).context == expected
    assert parse(f"<testsuite {about}>{case}</testsuite>".encode(), "f").context == expected
    assert parse(f"<testsuites>{case}</testsuites>".encode(), "f").context == {}


AGAIN = "is it complete? write it again with the tool that made it"


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ("", "holds no measurement of JUnit XML; measure again"),
        ('<testcase name="t" time="0,5"/>', f"has time of 't' = '0,5', no number; {AGAIN}"),
        ('<testcase name="t" time="-1"/>', f"benchmark 't' has time = -1.0; {AGAIN}"),
        (
            "<testcase",
            "is not JUnit's XML: not well-formed (invalid token): line 1, column 33; "
            f"{AGAIN}",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(cases: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        parsed(cases)
    assert str(refused.value) == f"f: {said}"


@pytest.mark.parametrize(
    ("data", "is_junit"),
    [(b"<testsuites/>", True), (b"<testsuite/>", True), (b"<Catch/>", False), (b"{}", False)],
)
def test_what_is_taken_for_junit(data: bytes, *, is_junit: bool) -> None:
    assert looks_like(data) is is_junit
