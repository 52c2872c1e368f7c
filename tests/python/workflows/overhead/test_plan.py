"""A plan is read whole or refused, saying what is wrong and where."""

from pathlib import Path

import pytest
from conftest import ROOT

from assay.errors import AssayError, InputError, UsageError
from assay.workflows.overhead.plan import PlanOverrides, read_plan

PLANS = sorted((ROOT / "examples" / "overhead").glob("*.toml"))
ONE = '[[condition]]\nname = "one"\n'


def plan(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def test_there_are_ready_plans() -> None:
    assert [path.stem for path in PLANS] == ["exec", "file_watch", "huge_pages", "seccomp"]


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_ready_plans_are_plans_and_each_condition_is_proven(path: Path) -> None:
    read = read_plan(path, PlanOverrides())
    assert read.conditions[0].name == "undisturbed"
    assert len(read.conditions) >= 3
    assert all(one.proof for one in read.conditions[1:])
    assert str(ROOT) in read.target


def test_the_choice_goes_before_the_plan(tmp_path: Path) -> None:
    text = 'target = "cmd:true"\nfilter = "a"\n[measure]\nrounds = 3\n' + ONE
    text += '[[condition]]\nname = "two"\n'
    choice = PlanOverrides(target="$PLAN/x", filter="", conditions=("two",), rounds=9, seed=4)
    read = read_plan(plan(tmp_path, text), choice)
    assert [one.name for one in read.conditions] == ["undisturbed", "two"]
    assert read.target == f"{tmp_path}/x"
    assert (read.filter, read.measuring.rounds, read.measuring.seed) == ("", 9, 4)
    assert read_plan(plan(tmp_path, text), PlanOverrides()).measuring.rounds == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("target = ", ("is not TOML",)),
        (ONE, ("the file lacks the key `target`",)),
        ('target = "a"\ncondition = []', ("names no condition",)),
        ('target = "a"\nwarmth = 1\n' + ONE, ("plan.toml:2:1: unknown key `warmth`",)),
        (
            'target = "a"\n' + ONE + "setpu = []",
            ("plan.toml:4:1: unknown key `setpu`", "did you mean `setup`?"),
        ),
        (
            'target = "a"\n[measure]\nbudget = 3\n' + ONE,
            ("plan.toml:3:1: unknown key `budget`", "did you mean `budget_s`?"),
        ),
        ('target = "a"\n' + ONE + ONE, ("two conditions are called 'one'",)),
        ('target = "a"\nundisturbed = "one"\n' + ONE, ("two conditions are called 'one'",)),
        ('target = "a"\n' + ONE + 'ready = "x"', ("'one'", "without a `background`")),
        ('target = "a"\n' + ONE + 'stop = "FIRE"', ("'FIRE', no signal",)),
        ('target = "a"\n' + ONE + 'wrap = "a \'b"', ("cannot split",)),
        ('target = "a"\n' + ONE + "proof = {}", ("one of `lines`, `counter` and `state`",)),
        ('target = "a"\n' + ONE + 'proof = { lines = "(" }', ("not a regular expression",)),
        ('target = "a"\n' + ONE + 'proof.lines = "(a)(b)"', ("more than one group",)),
        ('target = "a"\n[measure]\nconfidence = 1.5\n' + ONE, ("confidence lies between",)),
        ('target = "a"\n[measure]\nbudget_s = 0\n' + ONE, ("more than nothing",)),
        ('target = "a"\n[measure]\nrounds = 0\n' + ONE, ("rounds must be 1",)),
    ],
)
def test_what_is_no_plan_is_told(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as failed:
        read_plan(plan(tmp_path, text), PlanOverrides())
    for word in words:
        assert word in failed.value.message


def test_files_and_choices_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="no such file"):
        read_plan(tmp_path / "none.toml", PlanOverrides())
    with pytest.raises(UsageError, match="no such condition; there is one"):
        read_plan(plan(tmp_path, 'target = "a"\n' + ONE), PlanOverrides(conditions=("two",)))
