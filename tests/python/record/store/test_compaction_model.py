"""Whatever is added, deleted and packed, a store holds what a dictionary would hold."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from records import one_sided, two_sided

from assay.errors import InputError
from assay.record.store import compaction
from assay.record.store.compaction import Compaction, compact_store
from assay.record.store.folder import Folder
from assay.record.store.run_file import Header, encode
from assay.record.store.shared_files import SharedFiles, run_name

NOW_S = 1_790_000_000.0
RUNS = [f"2026{month:02}0{day}-131320.250000-a1b2" for month in (8, 9, 11) for day in range(1, 6)]


def compact(folder: Folder) -> Compaction:
    return compact_store(folder, lambda *_: None)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    records = [one_sided(), two_sided(), one_sided(launches=1)]
    return {
        run: encode(records[number % len(records)], Header(run=run, time_s=NOW_S + number))
        for number, run in enumerate(RUNS)
    }


def held(folder: Folder) -> dict[str, bytes]:
    return {run: folder.read(run) for run in folder.runs()}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(st.sampled_from(RUNS), min_size=1, max_size=6)),
        st.tuples(st.just("delete"), st.lists(st.sampled_from(RUNS), min_size=1, max_size=3)),
        st.tuples(st.just("compact"), st.integers(2, 5)),
    ),
    min_size=1,
    max_size=10,
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
def test_a_store_holds_the_same_whatever_is_packed(
    steps: list[tuple[str, list[str] | int]], files: dict[str, bytes], tmp_path: Path
) -> None:
    shutil.rmtree(tmp_path / "any", ignore_errors=True)
    folder, model = Folder.opened_or_made(tmp_path / "any"), dict[str, bytes]()
    for verb, what in steps:
        _done(folder, verb, what, files, model)
        assert held(folder) == model
        assert folder.newest() == max(model, default="")
        sizes = {run_name(run): len(data) for run, data in model.items()}
        assert SharedFiles(folder).listed() == sizes
    assert list(folder.sentences_on_left_out()) == []


def _done(
    folder: Folder,
    verb: str,
    what: list[str] | int,
    files: dict[str, bytes],
    model: dict[str, bytes],
) -> None:
    """One step, on the store and on what it should hold."""
    if isinstance(what, int):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compaction, "_FULL_RUNS", what)
            compact(folder)
            assert not compact(folder).changed
        return
    for run in dict.fromkeys(what):
        if verb == "add" and run not in model:
            assert list(SharedFiles(folder).add([(run_name(run), files[run])])) == [run_name(run)]
            model[run] = files[run]
        elif verb == "add":
            assert list(SharedFiles(folder).add([(run_name(run), files[run])])) == []
        elif model.pop(run, None):
            folder.delete(run)
        else:
            with pytest.raises(InputError, match="cannot be deleted: No such file"):
                folder.delete(run)
