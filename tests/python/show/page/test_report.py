"""The page as bytes: the same every time, safe whatever names are, sensible at the edges."""

import json
import re

import msgspec
import numpy as np
import pytest
from pages_read import index_of, packed, tags_of
from records import CHANGES, HOSTILE, content, one_sided, plain, two_sided

from assay.model import Failure, Record, Sample, Side
from assay.show.export.markdown import markdown
from assay.show.export.results_json import encode
from assay.show.page import embed
from assay.show.page.report import page
from assay.workflows.contents.run import of_run


def test_the_same_verdicts_give_the_same_bytes() -> None:
    assert page(content()) == page(content())


def test_no_address_is_named_and_nothing_but_our_own_scripts_may_run() -> None:
    html = page(content()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1]
    assert "unsafe" not in policy[1]
    assert re.findall(r'(?:src|href)="[^"]*"', html) == []


def test_hostile_names_stay_text_in_the_source() -> None:
    made = page(content(two_sided(dict.fromkeys(HOSTILE, 1.1), 8)))
    html, tags = made.decode(), tags_of(made)
    assert tags.count("script") == 6  # specs, index, details, floats, vega, ours
    assert "img" not in tags
    assert "\u202e" not in html
    assert "\x1b" not in html


def test_the_index_holds_what_json_writes() -> None:
    shown = content()
    assert index_of(page(shown))["results"] == json.loads(encode(shown.document))


def test_numbers_agree_between_page_markdown_and_json() -> None:
    shown = content()
    assert shown.judgement is not None
    columns = {one["title"]: one["shown"] for one in index_of(page(shown))["table"]["columns"]}
    text = markdown(shown.judgement, only=((), ()), failures=())
    for place, one in enumerate(shown.judgement.comparisons):
        if one.metric == "real_time":
            row = next(
                line for line in text.splitlines() if line.startswith(f"| `{one.benchmark}`")
            )
            for title in ("base", "candidate", "change", "interval"):
                assert f"| {columns[title][place]} |" in row


@pytest.mark.parametrize("samples", [1, 5])
@pytest.mark.parametrize("rounds", [1, 2, 30])
def test_few_rounds_and_samples_are_shown_as_they_are(rounds: int, samples: int) -> None:
    index = index_of(page(content(two_sided(rounds=rounds, samples=samples))))
    assert len(index["table"]["order"]) == 3 * len(CHANGES)


def test_equal_samples_and_one_sample() -> None:
    same = Record(
        context={},
        facts={},
        samples=(
            Sample(benchmark="A", values={"real_time": (5.0,) * 10, "cpu_time": (5.0,) * 10}),
        ),
    )
    axes = index_of(page(content(same, same)))["axes"]
    assert axes["lo"][0] < 5.0 < axes["hi"][0]
    once = plain(["A"], repetitions=1)
    assert index_of(page(content(once, once)))["results"]["comparisons"][0]["low"] is None


def test_no_samples_at_all() -> None:
    failed = Failure(benchmark="Gone", what="crashed: signal 11")
    empty = of_run(Record(context={}, facts={"schema": 1}, samples=(), failures=(failed,)))
    assert "crashed: signal 11" in page(empty).decode()


def test_records_of_other_schema_versions_and_none() -> None:
    for facts in ({}, {"schema": 0}, {"schema": 1}):
        record = msgspec.structs.replace(one_sided(), facts=facts)
        assert b"2 benchmarks measured" in page(of_run(record))


def test_differences_between_the_sides_come_first_and_marked() -> None:
    html = page(content()).decode()
    assert html.index('class="differs"') < html.index("Test CPU")
    assert "GNU 12" in html


def test_every_sample_is_in_the_page_to_the_last_bit() -> None:
    shown = content()
    floats = _floats(page(shown))
    expected = [
        value
        for metric in ("real_time", "cpu_time", "allocs")
        for sample in shown.samples
        for value in sample.values[metric]
    ]
    assert floats[: len(expected)].tolist() == expected


def test_too_many_samples_are_thinned_and_said_to_be() -> None:
    many = two_sided({"Big": 1.1}, rounds=10, samples=20_000)
    html = page(content(many)).decode()
    assert "samples every" in html
    assert len(html) < 4_000_000


def test_script_json_cannot_end_its_element() -> None:
    text = embed.script_json({"a": "</script><!-- \u2028 &"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"a": "</script><!-- \u2028 &"}


def test_sides_of_plain_files_are_told_apart() -> None:
    shown = content(plain(["A"]), plain(["A"], 2.0))
    assert [sample.side for sample in shown.samples] == [Side.BASE, Side.CANDIDATE]


def _floats(html: bytes) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    planes = np.frombuffer(packed(html, "floats"), dtype=np.uint8).reshape(8, -1)
    return np.ascontiguousarray(planes.T).view("<f8").reshape(-1)
