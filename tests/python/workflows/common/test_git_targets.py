"""`git:REV` and `.`: the project's revisions as targets."""

from pathlib import Path

import pytest
from conftest import ScriptedExecutor, finished
from repositories import TestRepository, clone, new_repository

from assay.errors import AssayError, BuildError, InputError
from assay.measure.placed_executor import PlacedExecutor
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.plan import RevisionChoice
from assay.workflows.common.targets import TargetContext, resolve, with_executor

PROJECT = """\
[build]
commands = ["mkdir -p out && cp bench.sh out/bench && chmod +x out/bench"]
[suites.main]
run = "out/bench --quick 'two words'"
environment.THREADS = "2"
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestRepository:
    """`old` has no assay.toml; the working directory is a folder of the newest commit."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "the cache"))
    made = new_repository(tmp_path / "a repository")
    made.commit("first", bench_sh="#!/bin/sh\necho 1\n")
    made.git("tag", "old")
    made.commit("second", bench_sh="#!/bin/sh\necho 2\n", assay_toml=PROJECT, deep__x_txt="")
    monkeypatch.chdir(made.root / "deep")
    return made


def context(**choice: object) -> TargetContext:
    executor = ScriptedExecutor(lambda _: finished())
    return TargetContext(executor, 5.0, Revisions(RevisionChoice(**choice)))  # type: ignore[arg-type]


def test_an_executable_of_a_revision_older_than_the_file(work: TestRepository) -> None:
    kit = context()
    target = resolve("git:old", kit)
    assert isinstance(target, GBenchTarget)
    program, *arguments = target.argv
    assert (target.label, arguments) == ("git:old", ["--quick", "two words"])
    assert Path(program).read_text().endswith("echo 1\n")
    folder = Path(program).parent.parent
    launch = kit.executor.launches[0]  # type: ignore[attr-defined]
    assert (launch.folder, launch.env) == (folder, {"THREADS": "2"})
    other = resolve("git:HEAD", kit)
    assert isinstance(other, GBenchTarget)
    assert len(other.argv[0]) == len(program)


def test_the_working_tree(work: TestRepository, tmp_path: Path) -> None:
    work.write("bench.sh", "#!/bin/sh\necho 3\n")
    work.write(".assay/runs/one", "of the store, which is no part of the work")
    target = resolve(".", context())
    assert isinstance(target, GBenchTarget)
    assert Path(target.argv[0]).read_text().endswith("echo 3\n")
    assert Path(target.argv[0]).is_relative_to(tmp_path / "the cache")
    assert not (Path(target.argv[0]).parent.parent / ".assay").exists()


def test_what_the_command_writes_is_no_part_of_the_working_tree(work: TestRepository) -> None:
    """`gate.md`, written by the first gate, made the second one build everything anew."""
    outputs = (Path("gate.md"), work.root / "gate.xml")

    def build() -> str:
        return str(resolve(".", context(outputs=outputs)).argv[0])  # type: ignore[union-attr]

    first = build()
    for path in outputs:
        path.write_text("of the first gate")
    assert build() == first
    Path("other.md").write_text("of the user")
    assert build() != first


def test_a_folder_is_no_target_where_there_is_no_assay_toml(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"\.: is a directory"):
        resolve(".", context())


def test_a_command_runs_in_the_folder_of_the_build(work: TestRepository) -> None:
    work.write("assay.toml", PROJECT.replace("out/bench --quick 'two words'", "cmd:out/bench -x"))
    target = resolve("git:HEAD", context())
    assert isinstance(target, CommandTarget)
    assert (target.argv, target.name) == (("out/bench", "-x"), "out/bench -x")
    assert isinstance(target.executor, PlacedExecutor)
    assert (target.executor.folder / "out" / "bench").exists()
    another = ScriptedExecutor(lambda _: finished())
    moved = with_executor(target, another)
    assert isinstance(moved, CommandTarget)
    assert moved.executor == target.executor.with_executor(another)


def test_one_suite_of_several(work: TestRepository) -> None:
    work.write("assay.toml", PROJECT + '[suites.other]\nrun = "bench.sh"\n')
    with pytest.raises(AssayError, match="several suites: main, other; choose one with --suite"):
        resolve("git:HEAD", context())
    (work.root / "bench.sh").chmod(0o755)
    work.commit("may be run")
    target = resolve("git:HEAD", context(suite="other"))
    assert isinstance(target, GBenchTarget)
    assert target.argv[0].endswith("/bench.sh")


def test_a_revision_built_as_it_says_itself(work: TestRepository) -> None:
    work.write("assay.toml", PROJECT.replace("cp bench.sh", "echo other > "))
    target = resolve("git:HEAD", context(own_recipe=True))
    assert isinstance(target, GBenchTarget)
    assert Path(target.argv[0]).read_text().endswith("echo 2\n")
    with pytest.raises(InputError, match=r"git:old: this revision has no assay.toml; leave out"):
        resolve("git:old", context(own_recipe=True))
    work.commit("misspelled", assay_toml="[biuld]")
    work.write("assay.toml", PROJECT)
    with pytest.raises(InputError, match=r"^git:HEAD:assay.toml:1:2: unknown key `biuld`"):
        resolve("git:HEAD", context(own_recipe=True))


def test_an_assay_toml_below_the_root(
    work: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.commit("a part", part__assay_toml=PROJECT, part__bench_sh="#!/bin/sh\necho part\n")
    monkeypatch.chdir(work.root / "part")
    for own_recipe in (False, True):
        target = resolve("git:HEAD", context(own_recipe=own_recipe))
        assert isinstance(target, GBenchTarget)
        assert Path(target.argv[0]).read_text().endswith("echo part\n")


def test_a_build_that_makes_no_program(work: TestRepository) -> None:
    work.write("assay.toml", PROJECT.replace("out/bench --quick", "out/bnech --quick"))
    with pytest.raises(BuildError, match=r"git:HEAD: its build ended well and made no out/bnech"):
        resolve("git:HEAD", context())


def test_without_assay_toml_or_repository(
    work: TestRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = clone(work, tmp_path / "plain", "-b", "main")
    (plain.root / "assay.toml").unlink()
    monkeypatch.chdir(plain.root)
    with pytest.raises(InputError, match=r'no assay.toml here .* run = "build/bench"'):
        resolve("git:HEAD", context())
    (tmp_path / "nowhere").mkdir()
    (tmp_path / "nowhere" / "assay.toml").write_text(PROJECT)
    monkeypatch.chdir(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is not in a git repository"):
        resolve("git:HEAD", context())


def test_what_is_kept_of_the_builds_and_whether_they_are_one(work: TestRepository) -> None:
    work.commit("nothing changed")
    kit = context()
    for written in ("git:HEAD", "git:HEAD~1", "git:old"):
        resolve(written, kit)
    assert kit.revisions.identical("git:HEAD", "git:HEAD~1"), "the same files, built once"
    assert not kit.revisions.identical("git:HEAD", "git:old")
    assert not kit.revisions.identical("git:HEAD", "build/bench")
    assert kit.revisions.builds({"base": "build/bench"}) == {}
    facts = kit.revisions.builds({"base": "git:old", "candidate": "build/bench"})
    built = resolve("git:old", kit)
    assert isinstance(built, GBenchTarget)
    first = facts["builds"]["base"]  # type: ignore[index]
    assert facts == {"builds": {"base": first}}
    assert first["revision"] == work.git("rev-parse", "old")
    assert (first["subject"], first["time_s"]) == ("first", 1_700_000_000)
    assert first["build"] in built.argv[0]
    assert first["program"] is None, "a script"
