"""Reads Catch2's XML (`-r xml`), of versions 2 and 3: the mean of each benchmark.

    record = parse(Path("catch2.xml").read_bytes(), "catch2.xml")
    record.samples[0].values["real_time"]      # ns: one value, the mean

Catch2 writes no samples. Its own bounds of the mean are kept in `facts["catch2"]`, by name.
"""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from assay.errors import InputError
from assay.model import Failure, Record, Sample
from assay.record.formats.checks import AGAIN, made_record, number_of, numbered_launches, times_of
from assay.record.formats.markup import has_root, xml_root


def looks_like(data: bytes) -> bool:
    """Whether this is Catch2's XML, by its root."""
    return has_root(data, "Catch", "Catch2TestRun")


def parse(data: bytes, origin: str) -> Record:
    """The record in a file of Catch2; `origin` names it in messages. Times are in ns.

    Raises `InputError` where the file is of another shape.
    """
    root = xml_root(data, origin, "Catch2's XML")
    found = [one for case in root.iter("TestCase") for one in _named_benchmarks(case, "")]
    good = [(name, mean) for name, one in found if (mean := one.find("mean")) is not None]
    failures = [
        Failure(benchmark=name, what=failed.get("message", "it failed"))
        for name, one in found
        if (failed := one.find("failed")) is not None
    ]
    return made_record(
        numbered_launches(_sample(name, mean, origin) for name, mean in good),
        origin,
        f"Catch2 {root.get('catch2-version', '')}".strip(),
        failures=failures,
        catch2={name: dict(mean.attrib) for name, mean in good},
    )


def _named_benchmarks(element: Element, above: str) -> Iterator[tuple[str, Element]]:
    """Each benchmark's element, named by its test case and sections: "case/section/name"."""
    name = f"{above}/{element.get('name', '')}".strip("/")
    for inner in element:
        if inner.tag == "Section":
            yield from _named_benchmarks(inner, name)
        elif inner.tag == "BenchmarkResults":
            yield f"{name}/{inner.get('name', '')}".strip("/"), inner


def _sample(name: str, mean: Element, origin: str) -> Sample:
    value = mean.get("value")
    if value is None:
        raise InputError(f"benchmark {name!r} has a mean without a value", where=origin, hint=AGAIN)
    time_ns = number_of(value, f"the mean of {name!r}", origin)
    return Sample(benchmark=name, values={"real_time": times_of([time_ns], name, origin)})
