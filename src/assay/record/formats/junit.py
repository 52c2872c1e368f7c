"""Reads durations from JUnit XML: one launch for each occurrence of a test case in the file.

    record = parse(Path("junit.xml").read_bytes(), "junit.xml")
    record.samples[0].values["real_time"]      # seconds

A test that failed or raised an error is a failure, for its duration means nothing. One that was
skipped is left out, for suites skip many on purpose.
"""

from xml.etree.ElementTree import Element

from assay.model import Failure, Record, Sample
from assay.record.formats.checks import made_record, number_of, numbered_launches, times_of
from assay.record.formats.markup import has_root, xml_root

_WRONG = ("failure", "error")  # elements in a test case that say that it failed


def looks_like(data: bytes) -> bool:
    """Whether this is JUnit XML, by its root."""
    return has_root(data, "testsuites", "testsuite")


def parse(data: bytes, origin: str) -> Record:
    """The record in a JUnit file; `origin` names it in messages. Times are in seconds.

    Raises `InputError` where the file is of another shape.
    """
    root = xml_root(data, origin, "JUnit's XML")
    cases = [one for one in root.iter("testcase") if one.find("skipped") is None]
    suite = root if root.tag == "testsuite" else root.find("testsuite")
    about = {} if suite is None else suite.attrib
    timed = [one for one in cases if _failure_element(one) is None and one.get("time") is not None]
    return made_record(
        numbered_launches(_sample(one, origin) for one in timed),
        origin,
        "JUnit XML",
        context={"host_name": about.get("hostname"), "date": about.get("timestamp")},
        failures=[
            _failure(one, wrong) for one in cases if (wrong := _failure_element(one)) is not None
        ],
    )


def _failure_element(case: Element) -> Element | None:
    return next((inner for inner in case if inner.tag in _WRONG), None)


def _name(case: Element) -> str:
    return ".".join(filter(None, (case.get("classname"), case.get("name")))) or "unnamed"


def _failure(case: Element, wrong: Element) -> Failure:
    first = (wrong.get("message") or wrong.text or "").strip().partition("\n")[0]
    return Failure(benchmark=_name(case), what=f"{wrong.tag}: {first}".rstrip(": "))


def _sample(case: Element, origin: str) -> Sample:
    name = _name(case)
    time_s = number_of(case.get("time", ""), f"time of {name!r}", origin)
    return Sample(
        benchmark=name,
        values={"real_time": times_of([time_s], name, origin)},
        time_unit="s",
        iterations=1,
    )
