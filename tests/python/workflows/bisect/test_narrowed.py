"""What a search found is kept with how it narrowed, and read from a disk that is not trusted."""

from pathlib import Path

import pytest
from msgspec import structs
from searches import CULPRIT, hash_of, narrowed

from assay.record.store.searches import ENDING, Searches, keep_search
from assay.record.store.store import Store
from assay.show.page.store.bisects import bisects_page

KEY = "ab" * 16


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.opened_or_made(tmp_path / ".assay")


def test_each_step_says_what_was_likeliest_then() -> None:
    found = narrowed()
    first, last = found.steps[0], found.steps[-1]
    assert (found.answer, found.settled) == ((hash_of(CULPRIT),), True)
    assert last.likely[0][0] == hash_of(CULPRIT)
    assert last.likely[0][1] == pytest.approx(found.probability)
    assert first.left > last.left == 1
    assert [one.rounds for one in found.steps] == sorted(one.rounds for one in found.steps)
    assert all(one.change is None for one in found.steps if one.commit == hash_of(4))
    assert {one.hash: one.place for one in found.commits}[hash_of(CULPRIT)] == CULPRIT


def test_it_is_kept_beside_its_steps_and_replaced_when_the_search_goes_on(store: Store) -> None:
    steps = store.folder.path_with_folder("bisects", f"{KEY}.jsonl")
    keep_search(narrowed("first"), steps)
    keep_search(narrowed("second"), steps)
    (found,) = Searches(store.folder).all()
    assert (found.benchmark, found.key) == ("second", KEY)
    assert structs.replace(found, key="") == narrowed("second")


@pytest.mark.parametrize("old", [b'"settled":true', b'"probability":', b'"place":6', b"{"])
def test_a_damaged_one_says_nothing(store: Store, old: bytes) -> None:
    keep_search(narrowed(), store.folder.path_with_folder("bisects", f"{KEY}.jsonl"))
    path = store.folder.root / "bisects" / f"{KEY}{ENDING}"
    whole = path.read_bytes()
    assert old in whole
    path.write_bytes(whole.replace(old, b'"probability":-' if old.endswith(b":") else b'"x":-1'))
    assert Searches(store.folder).all() == []


def test_links_are_not_followed(store: Store, tmp_path: Path) -> None:
    keep_search(narrowed(), tmp_path / f"{KEY}.jsonl")
    place = store.folder.path_with_folder("bisects", f"{KEY}{ENDING}")
    place.symlink_to(tmp_path / f"{KEY}{ENDING}")
    assert Searches(store.folder).all() == []


def test_the_page_names_the_commit_and_every_step() -> None:
    page = bisects_page([narrowed(subject="<b>sub</b>")], served=True).decode()
    assert f"{hash_of(CULPRIT)[:10]} &lt;b&gt;sub&lt;/b&gt; made it worse" in page
    assert page.count('<td class="number less">') == 2 * len(narrowed().steps)
    assert "<b>" not in page
