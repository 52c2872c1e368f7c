"""Where what is made of a store is kept."""

from pathlib import Path

from assay.record.store.derived import place_of
from assay.record.store.store import Store


def test_asking_for_a_place_makes_no_file(tmp_path: Path) -> None:
    """One that was made to see whether it can be was left behind by a kill at that moment."""
    folder = Store.opened_or_made(tmp_path / ".assay").folder
    before_ns = folder.root.stat().st_mtime_ns  # of the list of files in it
    assert place_of(folder, "catalogue") == folder.root / "catalogue.sqlite"
    assert folder.root.stat().st_mtime_ns == before_ns
