"""Every cell of the table: the exit code, the sentence, what was kept, and nothing left behind."""

import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from known_open import KNOWN_OPEN
from other_users import why_not
from table import VERBS, Fault, write_inputs
from table_more import FAULTS
from world import Trouble, World

SOAK = bool(os.environ.get("ASSAY_SOAK"))  # the large version: every cell
CELLS = {f"{one.group}: {one.name} / {verb}": (one, verb) for one in FAULTS for verb in one.verbs}
_FEW = 2  # verbs of a fault in the small version


def _cells() -> list[str]:
    return [name for name, (fault, verb) in CELLS.items() if SOAK or _is_small(fault, verb)]


def _is_small(fault: Fault, verb: str) -> bool:
    """Where many verbs are tried with a fault, the small version rotates through them."""
    if not fault.small or len(fault.verbs) <= _FEW:
        return fault.small
    place = FAULTS.index(fault)
    chosen = {(place + step * len(fault.verbs) // _FEW) % len(fault.verbs) for step in range(_FEW)}
    return fault.verbs.index(verb) in chosen


@pytest.fixture
def root() -> Iterator[Path]:
    """Not pytest's folder, which only its own user may enter."""
    with tempfile.TemporaryDirectory(
        prefix="fault-", dir="/tmp", ignore_cleanup_errors=True
    ) as name:
        yield Path(name)


@pytest.mark.parametrize("name", _cells())
def test_a_fault(name: str, root: Path, request: pytest.FixtureRequest) -> None:
    fault, verb = CELLS[name]
    if fault.as_root and (reason := why_not()):
        pytest.skip(reason)
    if f"{fault.group}: {fault.name}" in KNOWN_OPEN:
        request.node.add_marker(pytest.mark.xfail(reason="known to be open", strict=False))
    world = _world(root, fault, verb)
    before = _inputs(world)
    seen = world.run(fault.words.get(verb, VERBS[verb]), fault.trouble)
    assert seen.code in fault.codes, seen.text
    assert "Traceback" not in seen.text
    assert "Warning" not in seen.text
    assert re.search(fault.says, seen.text), seen.text
    _assert_kept(world, fault)
    if fault.is_killed:  # nobody can tidy up after SIGKILL but the next start
        world.run(("doctor",), Trouble())
    assert world.left_behind() == []
    assert _inputs(world) == before


def _world(root: Path, fault: Fault, verb: str) -> World:
    world = World(root)
    write_inputs(world)
    if verb in ("runs", "history"):
        world.run(("runs", "import", "base.json", "--store", "store"), Trouble())
    fault.arrange(world)
    return world


def _inputs(world: World) -> dict[str, bytes]:
    files = (world.folder / name for name in ("base.json", "candidate.json"))
    return {path.name: path.read_bytes() for path in files if path.is_file()}


def _assert_kept(world: World, fault: Fault) -> None:
    if not fault.keeps_record:
        return
    path = world.folder / "out.json"
    if path.exists():
        assert json.loads(path.read_text())["benchmarks"]
    else:
        assert b'"row"' in (world.folder / "out.json.journal").read_bytes()


def test_what_is_known_to_be_open_is_in_the_table() -> None:
    assert {f"{fault.group}: {fault.name}" for fault in FAULTS} >= KNOWN_OPEN


def test_every_fault_has_a_name_of_its_own() -> None:
    assert len({fault.group for fault in FAULTS}) == 6
    assert len(CELLS) == sum(len(fault.verbs) for fault in FAULTS)
