import pytest

from assay.errors import NoBenchmarksError, UsageError
from assay.model import Record, Sample
from assay.workflows.common.matching import Filters, match
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.recorded import compare_records


def test_same_names_match_and_the_rest_is_named() -> None:
    found = match(["a", "b", "c"], ["b", "c", "d"], Filters())
    assert found.names == ["b", "c"]
    assert found.only_base == ("a",)
    assert found.only_candidate == ("d",)


def test_filter_modes_of_compare_py() -> None:
    found = match(
        ["BM_Zero", "BM_Zero/4", "BM_One"],
        ["BM_Zero", "BM_One", "BM_One/4", "BM_One/5"],
        Filters(base="BM_Z.ro", candidate="BM_O.e"),
    )
    assert found.names == ["[BM_Z.ro vs. BM_O.e]", "[BM_Z.ro vs. BM_O.e]/4"]
    assert found.base["[BM_Z.ro vs. BM_O.e]/4"] == "BM_Zero/4"
    assert found.candidate["[BM_Z.ro vs. BM_O.e]/4"] == "BM_One/4"
    assert found.only_candidate == ("[BM_Z.ro vs. BM_O.e]/5",)


def test_one_filter_for_both() -> None:
    assert match(["aa", "ab"], ["aa", "ab"], Filters(both="b$")).names == ["ab"]


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        (Filters(both="zzz"), "--filter zzz: the filter matches none of the 1"),
        (Filters(base="zzz", candidate="a"), "zzz: the filter matches nothing"),
    ],
)
def test_a_filter_that_matches_nothing(filters: Filters, message: str) -> None:
    with pytest.raises(NoBenchmarksError, match=message):
        match(["a"], ["a"], filters)


def test_nothing_in_common_shows_what_there_is() -> None:
    with pytest.raises(NoBenchmarksError, match="base has 'a', candidate 'b'"):
        match(["a"], ["b"], Filters())


def test_a_broken_expression_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"--filter \(: not a regular expression"):
        match(["a"], ["a"], Filters(both="("))


_REFS = [
    f"bench_ref_{operation}<RefType::{member}>{rest}"
    for operation, rest in (("copy", ""), ("contended_copy", "/real_time"))
    for member in ("RawPointer", "SharedPointer", "IntrusiveSingleThreaded", "IntrusiveThreadSafe")
    if "contended" not in operation or member != "IntrusiveSingleThreaded"
]


def test_members_of_a_group_match_by_a_part_of_their_words() -> None:
    found = match(_REFS, _REFS, Filters(base="shared", candidate="intrusive"))
    single = "bench_ref_copy<RefType::[SharedPointer vs. IntrusiveSingleThreaded]>"
    assert found.names == [
        single,
        "bench_ref_copy<RefType::[SharedPointer vs. IntrusiveThreadSafe]>",
        "bench_ref_contended_copy<RefType::[SharedPointer vs. IntrusiveThreadSafe]>/real_time",
    ]
    assert found.base[single] == "bench_ref_copy<RefType::SharedPointer>"
    assert found.candidate[single] == "bench_ref_copy<RefType::IntrusiveSingleThreaded>"
    assert found.only_base == found.only_candidate == ()


def test_capitals_in_a_filter_count() -> None:
    with pytest.raises(NoBenchmarksError, match="SHARED: the filter matches nothing"):
        match(_REFS, _REFS, Filters(base="SHARED", candidate="intrusive"))


def test_both_are_filtered_before_words_are_matched() -> None:
    found = match(_REFS, _REFS, Filters("contended", "shared", "intrusive"))
    assert len(found.names) == 1


def test_a_member_is_not_compared_with_itself() -> None:
    with pytest.raises(NoBenchmarksError, match="no benchmark in common"):
        match(["f<ab>"], ["f<ab>"], Filters(base="a", candidate="b"))


def test_recorded_members_are_compared_once_with_each_that_fits() -> None:
    times = {"f<Shared>": 10.0, "f<IntrusiveA>": 5.0, "f<IntrusiveB>": 20.0, "f<Raw>": 1.0}
    samples = tuple(
        Sample(benchmark=name, values={"real_time": tuple(time + i / 100 for i in range(12))})
        for name, time in times.items()
    )
    record = Record(context={}, facts={}, samples=samples)
    plan = ComparePlan(
        base="a.json", candidate="a.json", filters=Filters(base="shared", candidate="intrusive")
    )
    result = compare_records(plan, record, record)
    changes = {one.benchmark: round(one.change, 1) for one in result.judgement.comparisons}
    assert changes == {"f<[Shared vs. IntrusiveA]>": -0.5, "f<[Shared vs. IntrusiveB]>": 1.0}
