import pytest

from assay.errors import NoBenchmarksError, UsageError
from assay.workflows.matching import Filters, match


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
