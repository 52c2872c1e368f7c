"""The tree of a differential flame graph, and the short names in its boxes."""

import pytest
from explanations import explained, stacks
from msgspec.structs import replace
from records import HOSTILE

from assay.explained import Explained
from assay.judge.attribution.findings import findings
from assay.show.page.flame import flame, label
from assay.show.page.why_parts import parts, pictures
from assay.stacks import Stacks


def test_both_sides_are_one_tree_with_what_each_frame_cost_by_itself() -> None:
    found = flame(stacks("f(int)"), (10, 10))
    names = [short for short, _ in found["names"]]
    assert names == ["all", "bench", "crc", "f", "memmove"]
    assert found["tree"] == [
        0, 0, 0, [[1, 100, 100, [[2, 3900, 3900, []], [3, 6000, 6000, [[4, 0, 190, []]]]]]],
    ]  # fmt: skip


def test_sides_can_be_in_other_units() -> None:
    """Samples of one side in nanoseconds of an iteration, of the other as well."""
    found = flame(Stacks({("f",): 300}, {("f",): 500}), (3, 4))
    assert found["tree"][3] == [[1, 100, 125, []]]


def test_what_cannot_be_seen_is_left_to_its_caller_and_sums_stay() -> None:
    many = {("f", f"g{i}"): 1 for i in range(5)}
    found = flame(Stacks({("f",): 100_000, **many}, {("f",): 90_000}))
    assert found["tree"][3] == [[1, 100_005, 90_000, []]]
    assert len(found["names"]) == 2


def test_a_stack_deeper_than_any_screen_is_cut() -> None:
    deep = tuple(f"f{i}" for i in range(5000))
    assert len(flame(Stacks({deep: 7}, {}))["names"]) < 300


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("(anonymous namespace)::Log<int>::append(char const*, int) const", "Log<…>::append"),
        ("std::vector<std::pair<int, long>, A<B> >::insert(int)", "std::vector<…>::insert"),
        ("void std::sort<int*>(int*, int*)", "std::sort<…>"),
        ("Text::operator<(Text const&) const", "Text::operator<"),
        ("operator new(unsigned long)", "operator new"),
        ("memcpy", "memcpy"),
        ("", ""),
        ("<<<", "<<<"),
    ],
)
def test_labels_are_without_arguments(name: str, short: str) -> None:
    assert label(name) == short


def test_labels_of_hostile_names_are_one_line_and_cut() -> None:
    for name in HOSTILE:
        assert label(name).isprintable()
        assert len(label(name)) <= 420
        for _, whole in flame(Stacks({(name,): 1}, {}))["names"]:
            assert len(whole) <= 400


def test_a_benchmark_without_a_difference_has_no_picture() -> None:
    assert [one["title"] for one in pictures(explained())] == ["Instructions of the loop"]
    same = stacks()
    one = explained()
    assert one.work is not None
    loop = replace(one.work.loop, candidate=one.work.loop.base)
    assert pictures(replace(one, work=replace(one.work, loop=loop, stacks=same))) == []


def test_parts_of_a_benchmark_that_nothing_was_found_of() -> None:
    made = parts(findings(Explained("BM")), 0)
    assert (made["table"], made["pictures"], made["sources"], made["code"]) == (None, [], [], [])
