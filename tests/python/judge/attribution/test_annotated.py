"""Which lines of source are shown around those whose cost changed."""

from assay.judge.attribution.annotated import excerpts_around_changes, lines_by_number
from assay.machine_code import SourceLine

LONG = [f"line {number}" for number in range(1, 101)]
BASE = ["int f() {", "  a();", "  b();", "}", "", "", "", "", "", "end"]


def shown(*changed: int) -> list[tuple[int, int]]:
    """The first and last line of each excerpt of a file of a hundred lines."""
    parts = excerpts_around_changes(LONG, LONG, {}, dict.fromkeys(changed, 10), 1)
    return [(part[0].base, part[-1].base) for part in parts]


def test_lines_are_matched_by_their_text() -> None:
    candidate = [*BASE[:2], "  copy();", *BASE[2:]]
    (part,) = excerpts_around_changes(BASE, candidate, {3: 50}, {3: 90, 4: 50}, 1)
    assert part[:5] == (
        SourceLine(1, 1, "int f() {", (0, 0)),
        SourceLine(2, 2, "  a();", (0, 0)),
        SourceLine(0, 3, "  copy();", (0, 90)),
        SourceLine(3, 4, "  b();", (50, 50)),
        SourceLine(4, 5, "}", (0, 0)),
    )
    assert all(line.text != "end" for line in part)
    (gone,) = excerpts_around_changes(candidate, BASE, {3: 90, 4: 50}, {3: 50}, 1)
    assert gone[2] == SourceLine(3, 0, "  copy();", (90, 0))


def test_a_line_of_one_side_alone_that_was_not_executed_costs_nothing() -> None:
    candidate = [*BASE[:3], "  // why", *BASE[3:]]
    (part,) = excerpts_around_changes(BASE, candidate, {3: 50}, {3: 90}, 1)
    assert part[2:4] == (SourceLine(3, 3, "  b();", (50, 90)), SourceLine(0, 4, "  // why", (0, 0)))
    (part,) = excerpts_around_changes(candidate, BASE, {3: 50}, {3: 90}, 1)
    assert part[3] == SourceLine(4, 0, "  // why", (0, 0))


def test_a_change_is_shown_from_the_smallest_on() -> None:
    assert excerpts_around_changes(BASE, BASE, {3: 50}, {3: 50}, 1) == ()
    assert excerpts_around_changes(BASE, BASE, {3: 50}, {3: 40}, 11) == ()
    (part,) = excerpts_around_changes(BASE, BASE, {3: 50}, {3: 40}, 10)
    assert part[2] == SourceLine(3, 3, "  b();", (50, 40))


def test_three_lines_around_a_change_are_shown_and_excerpts_that_touch_are_one() -> None:
    assert shown(50) == [(47, 53)]
    assert shown(5, 8, 60) == [(2, 11), (57, 63)]
    assert shown(5, 12) == [(2, 15)]
    assert shown(5, 13) == [(2, 8), (10, 16)]


def test_an_excerpt_ends_where_the_file_does() -> None:
    assert shown(1, 100) == [(1, 4), (97, 100)]
    assert shown(2, 99, 100) == [(1, 5), (96, 100)]


def test_the_twelve_excerpts_with_the_largest_changes_are_shown_in_the_order_of_the_file() -> None:
    long = [str(number) for number in range(200)]
    costs = {10 * number: 100 + number % 5 for number in range(1, 14)}
    costs[30] = 99  # of the third excerpt
    parts = excerpts_around_changes(long, long, {}, costs, 1)
    assert [part[3].base for part in parts] == [10, 20, *range(40, 131, 10)]
    del costs[30]
    assert len(excerpts_around_changes(long, long, {}, costs, 1)) == 12


def test_in_a_file_too_long_for_difflib_line_one_is_compared_with_line_one() -> None:
    base = [f"line {number}" for number in range(20_001)]
    first, last = excerpts_around_changes(base, ["new", *base], {1: 5}, {1: 50, 20_002: 9}, 1)
    assert first[0] == SourceLine(1, 1, "new", (5, 50))
    assert last[-1] == SourceLine(0, 20_002, "line 20000", (0, 9))
    first, last = excerpts_around_changes(["old", *base], base, {1: 5, 20_002: 9}, {1: 50}, 1)
    assert first[0] == SourceLine(1, 1, "line 0", (5, 50))
    assert last[-1] == SourceLine(20_002, 0, "line 20000", (9, 0))
    (matched,) = excerpts_around_changes(base[2:], ["new", *base[2:]], {1: 5}, {1: 50, 2: 5}, 1)
    assert matched[:2] == (
        SourceLine(0, 1, "new", (0, 50)),
        SourceLine(1, 2, "line 2", (5, 5)),
    )


def test_without_its_text_a_file_is_told_by_line_numbers() -> None:
    before, after = {3: 50, 4: 1, 9: 7}, {3: 90, 4: 1, 2: 8}
    assert lines_by_number(before, after, 7) == (
        SourceLine(2, 2, "", (0, 8)),
        SourceLine(3, 3, "", (50, 90)),
        SourceLine(9, 9, "", (7, 0)),
    )
    assert lines_by_number(before, after, 41) == ()
