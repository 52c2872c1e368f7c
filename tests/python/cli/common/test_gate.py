"""A gate answers only for what it judged: its exit codes, its options, its strength in words."""

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from conftest import ScriptedExecutor, SimulatedTarget, SteppingClock, finished
from msgspec.structs import replace

from assay.cli import invoke
from assay.cli.common import runtime
from assay.cli.common.exit_codes import DONE, NOT_MEASURED, SLOWER, UNDECIDED
from assay.cli.common.gate import Gate, exit_code, parse_gate
from assay.errors import UsageError
from assay.judge.family.strength import strength
from assay.judging import Holm, MethodName
from assay.model import (
    Comparison,
    Design,
    Failure,
    Finding,
    Floor,
    Judgement,
    Sample,
    Settings,
    Verdict,
)
from assay.progress import Silence
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare import workflow
from assay.workflows.compare.result import CompareResult

PLAIN, STRICT = Gate(), Gate(strict=True)
GONE = Failure(benchmark="B", what="crashed")


def given(
    verdict: Verdict, *, judged: bool = True, single: bool = False, sometimes: bool = False
) -> Comparison:
    finding = Finding(of="launches", verdict=Verdict.SOMETIMES_SLOWER, share=0.2, size=0.3)
    return Comparison(
        benchmark="B",
        metric="real_time",
        unit="ns",
        base=1.0,
        candidate=1.0,
        change=0.0,
        low=-0.01 if judged else None,
        high=0.01 if judged else None,
        verdict=verdict,
        rounds=1,
        design=Design.INTERLEAVED,
        method=MethodName.ROUNDS,
        single=single,
        findings=(finding,) if sometimes else (),
    )


def result(*comparisons: Comparison, **more: object) -> CompareResult:
    settings = Settings(margin=0.02)
    judgement = Judgement(
        comparisons=comparisons,
        settings=settings,
        control=Holm(family=1, alpha=0.05),
        strength=strength(comparisons, settings.margin),
    )
    return CompareResult(judgement, None, {}, {}, **more)  # type: ignore[arg-type]


SAME, SLOW, OPEN = given(Verdict.SAME), given(Verdict.SLOWER), given(Verdict.UNDECIDED)
NO_INTERVAL = given(Verdict.UNDECIDED, judged=False)


@pytest.mark.parametrize(
    ("comparisons", "gate", "code"),
    [
        ((SLOW, OPEN), PLAIN, SLOWER),
        ((SLOW,), None, DONE),
        ((SAME, OPEN), PLAIN, DONE),
        ((SAME, OPEN), STRICT, UNDECIDED),
        ((SAME,), STRICT, DONE),
        ((), None, DONE),
        ((), PLAIN, UNDECIDED),  # what was not compared is not passed
        ((), STRICT, UNDECIDED),
        ((SAME, NO_INTERVAL), PLAIN, UNDECIDED),
        ((SAME, NO_INTERVAL), None, DONE),
        ((SLOW, NO_INTERVAL), PLAIN, SLOWER),
        ((given(Verdict.SOMETIMES_SLOWER, sometimes=True),), PLAIN, SLOWER),
        ((given(Verdict.FASTER, sometimes=True),), PLAIN, SLOWER),
        ((given(Verdict.SOMETIMES_FASTER),), STRICT, DONE),
        # single intervals are asked nothing, and answer nothing
        ((SAME, given(Verdict.SLOWER, single=True)), STRICT, DONE),
        ((SAME, given(Verdict.UNDECIDED, judged=False, single=True)), STRICT, DONE),
        ((given(Verdict.SAME, single=True),), PLAIN, UNDECIDED),
        # both would be found at 4.7 %: the margin, half the interval, and what luck takes off
        ((SAME, OPEN), Gate(strength=0.048), DONE),
        ((SAME, OPEN), Gate(strength=0.046), UNDECIDED),
        ((SLOW, OPEN), Gate(strength=0.029), SLOWER),
    ],
)
def test_exit_code_of_a_gate(
    comparisons: tuple[Comparison, ...], gate: Gate | None, code: int
) -> None:
    assert exit_code(result(*comparisons), gate) == code


@pytest.mark.parametrize(
    ("more", "gate", "code"),
    [
        ({"failures": (GONE,)}, None, NOT_MEASURED),
        ({"failures": (GONE,)}, PLAIN, NOT_MEASURED),
        ({"failures": (GONE,)}, Gate(allow_missing=True), NOT_MEASURED),
        ({"only_base": ("A",)}, PLAIN, NOT_MEASURED),
        ({"only_candidate": ("A",)}, STRICT, NOT_MEASURED),
        ({"only_candidate": ("A",)}, Gate(allow_missing=True), DONE),
        ({"only_candidate": ("A",)}, None, DONE),
        ({"interrupted_by": signal.SIGINT, "failures": (GONE,)}, PLAIN, 130),
    ],
)
def test_what_is_missing_does_not_pass(
    more: dict[str, object], gate: Gate | None, code: int
) -> None:
    assert exit_code(result(SAME, **more), gate) == code
    slow = SLOWER if gate and "interrupted_by" not in more else code
    assert exit_code(result(SLOW, NO_INTERVAL, **more), gate) == slow


def test_what_was_measured_on_both_sides_and_never_compared_does_not_pass() -> None:
    other = (Sample(benchmark="Other", values={"real_time": (1.0,)}),)
    assert exit_code(result(SAME, samples=(other, other)), PLAIN) == UNDECIDED
    assert exit_code(result(SAME, samples=(other, ())), PLAIN) == DONE


def test_no_strength_is_not_strong_enough() -> None:
    known = result(SAME)
    unknown = msgspec.structs.replace(known.judgement, strength=None)
    asked = CompareResult(unknown, None, {}, {})
    assert exit_code(asked, Gate(strength=0.1)) == UNDECIDED
    assert exit_code(known, Gate(strength=0.1)) == DONE


def test_the_options_of_a_gate_need_one() -> None:
    assert parse_gate(None, None, allow_missing=False) is None
    wanted = Gate(strict=True, strength=0.1, allow_missing=True)
    assert parse_gate("strict", "10%", allow_missing=True) == wanted
    with pytest.raises(UsageError, match="--gate-strength"):
        parse_gate(None, "10%", allow_missing=False)
    with pytest.raises(UsageError, match="--allow-missing"):
        parse_gate(None, None, allow_missing=True)


@contextmanager
def simulated(_quiet: bool, *, waits: bool) -> Iterator[Runtime]:
    yield Runtime(ScriptedExecutor(lambda _: finished()), SteppingClock(), Silence(), waits)


@pytest.fixture
def targets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two commands, one of which takes twice as long: "cmd:sleep 0.4" and "cmd:sleep 0.8"."""
    known = {
        "base": SimulatedTarget({"sleep": 0.4e9}, noise=0.001),
        "candidate": SimulatedTarget({"sleep": 0.8e9}, noise=0.001, seed=2),
    }
    monkeypatch.setattr(workflow, "resolve", lambda written, _kit: known[written])
    monkeypatch.setattr(runtime, "open_runtime", simulated)


@pytest.mark.usefixtures("targets")
def test_five_rounds_without_an_interval_do_not_pass_a_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, record = tmp_path / "o.json", tmp_path / "r.json"
    asked = ("compare", "base", "candidate", "--rounds", "5", "-o", str(record))
    asked = (*asked, "--metric", "real_time")
    assert invoke([*asked, "--gate", "--json", str(out)]) == UNDECIDED
    told = capsys.readouterr().out
    assert "This gate would have caught no slowdown; 1 of 1 benchmark has no interval." in told
    document = json.loads(out.read_text())
    assert [one["low"] for one in document["comparisons"] if not one["single"]][:1] == [None]
    assert document["strength"]["every"] is None
    assert invoke([*asked]) == DONE


@pytest.mark.usefixtures("targets")
def test_a_gate_says_what_it_would_have_caught_in_every_medium(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {kind: tmp_path / kind for kind in ("markdown", "junit", "html", "json")}
    written = [word for kind, path in files.items() for word in (f"--{kind}", str(path))]
    record = ("-o", str(tmp_path / "r.json"), "--seed", "7")
    asked = ["compare", "base", "base", "--rounds", "60", *record, "--metric", "real_time"]
    assert invoke([*asked, *written, "--gate"]) == DONE
    told = capsys.readouterr().out
    found = re.search(r"This gate would have caught a slowdown of \S+ % in every benchmark\.", told)
    assert found, told
    for kind in ("markdown", "junit", "html"):
        assert found[0] in files[kind].read_text(), kind
    every = json.loads(files["json"].read_text())["strength"]["every"]
    assert f"{100 * every:.3g} %" in found[0]
    assert invoke(asked) == DONE
    assert "\nThis comparison would have caught a slowdown of " in capsys.readouterr().out


@pytest.mark.usefixtures("targets")
def test_every_run_draws_its_chances_anew_and_says_which_seed_repeats_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*options: str) -> tuple[int, list[object]]:
        record = tmp_path / "r.json"
        asked = ("compare", "base", "candidate", "--rounds", "12", "-o", str(record))
        assert invoke([*asked, *options]) == DONE
        written = json.loads(record.read_text())
        seed = int(written["context"]["assay"]["seed"])
        assert f"record: {record} (seed {seed})" in capsys.readouterr().out
        rows = written["benchmarks"]
        return seed, [(one["assay"]["side"], one["assay"]["position"]) for one in rows]

    (one, first), (other, _) = run(), run()
    assert one != other
    seed, again = run("--seed", str(one))
    assert (seed, again) == (one, first)


def of_two_files(verdict: Verdict) -> Comparison:
    return msgspec.structs.replace(given(verdict), design=Design.SEQUENTIAL, p_value=0.01)


@pytest.mark.parametrize("verdict", [Verdict.SLOWER, Verdict.SAME, Verdict.UNDECIDED])
def test_a_strict_gate_on_two_files_rests_on_no_assumption(verdict: Verdict) -> None:
    """Unless a measured floor bounds the drift of the host between them."""
    found = result(of_two_files(verdict))
    assert exit_code(found, STRICT) == UNDECIDED
    assert exit_code(found, PLAIN) == (SLOWER if verdict is Verdict.SLOWER else DONE)
    floor = Floor(effect=0.01, drift=0.12, rounds=24, benchmarks=1, source="measured")
    bounded = replace(found, judgement=msgspec.structs.replace(found.judgement, floor=floor))
    expected = {Verdict.SLOWER: SLOWER, Verdict.SAME: DONE, Verdict.UNDECIDED: UNDECIDED}
    assert exit_code(bounded, STRICT) == expected[verdict]


def test_exact_counts_of_two_files_rest_on_no_drift() -> None:
    exact = msgspec.structs.replace(given(Verdict.SAME), design=Design.SEQUENTIAL)
    assert exit_code(result(exact), STRICT) == DONE
