"""Whatever is wrong with one of our own files, it is refused in words and the rest works."""

from pathlib import Path

import pytest
from mutations import KINDS, campaign, mutated, record

from assay.errors import AssayError
from assay.record import reader
from assay.record.writer import encode

COUNT = 60  # of each kind; `./dev bench mutations` does 10,000


@pytest.mark.parametrize("kind", KINDS)
def test_no_damage_to_one_of_our_files_is_a_defect(kind: str, tmp_path: Path) -> None:
    assert [f"{one.seed}: {one.error}" for one in campaign(kind, COUNT, 1, tmp_path)] == []


def test_the_mutations_are_many_and_some_of_them_are_read_all_the_same(tmp_path: Path) -> None:
    path, read = tmp_path / "one.json", 0
    path.write_bytes(encode(record()))
    assert reader.read(path).samples == record().samples
    for seed in range(1, COUNT):
        path.write_bytes(mutated("json", seed))
        try:
            reader.read(path)
            read += 1
        except AssayError:
            continue
    assert COUNT // 10 < read < COUNT - COUNT // 10
    assert len({mutated("json", seed) for seed in range(COUNT)}) > 0.95 * COUNT
