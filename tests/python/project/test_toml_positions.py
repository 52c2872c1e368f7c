"""Where keys stand in a TOML text, however they are written."""

import tomllib

import pytest

from assay.project.toml_positions import positions_of_keys

TEXT = '''\
# a comment = "with" [brackets]
title = "an # in text, a \\" and [[no.table]]"
dates = 2026-01-01
a.b . "c d" = 1

[build]   # [not.this]
commands = [
  "one = 1", # a = 2
  'two]',
  ["nested", { deep = true }],
]
text = """
[not.a.table]
key = "quoted" \\"""
""""
raw = \'\'\'
[neither] \'' '\'\'\'\'
[suites."one two".'x.y']
run = { path = "b", list = [1, 2] , e = {} }
[[row]]
name = 1
[row.inner]
z = 1
[[row.many]]
q = 1
[[row]]
name = 2
[[row.many]]
[[row.many]]
q = 3
'''


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("title",), (2, 1)),
        (("dates",), (3, 1)),
        (("a",), (4, 1)),
        (("a", "b"), (4, 3)),
        (("a", "b", "c d"), (4, 7)),
        (("build",), (6, 2)),
        (("build", "commands"), (7, 1)),
        (("build", "commands", 0), (8, 3)),
        (("build", "commands", 1), (9, 3)),
        (("build", "commands", 2, 0), (10, 4)),
        (("build", "commands", 2, 1, "deep"), (10, 16)),
        (("build", "text"), (12, 1)),
        (("build", "raw"), (16, 1)),
        (("suites", "one two"), (18, 9)),
        (("suites", "one two", "x.y"), (18, 19)),
        (("suites", "one two", "x.y", "run", "list", 1), (19, 32)),
        (("suites", "one two", "x.y", "run", "e"), (19, 37)),
        (("row", 0, "name"), (21, 1)),
        (("row", 0, "inner", "z"), (23, 1)),
        (("row", 0, "many", 0, "q"), (25, 1)),
        (("row", 1, "name"), (27, 1)),
        (("row", 1, "many", 1, "q"), (30, 1)),
    ],
)
def test_a_key_stands_where_it_was_written(
    path: tuple[str | int, ...], place: tuple[int, int]
) -> None:
    assert positions_of_keys(TEXT)[path] == place


def test_every_key_that_tomllib_reads_has_a_place_and_no_other() -> None:
    assert set(positions_of_keys(TEXT)) == set(_paths(tomllib.loads(TEXT), ()))


@pytest.mark.parametrize("text", ["", "\n\n# only this", "a = 1", "a = []", "[t]"])
def test_short_texts(text: str) -> None:
    assert set(positions_of_keys(text)) == set(_paths(tomllib.loads(text), ()))


def _paths(value: object, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    found: list[tuple[str | int, ...]] = []
    for key, inner in items:
        found.append((*path, key))
        if isinstance(inner, dict | list):
            found += _paths(inner, (*path, key))
    return found
