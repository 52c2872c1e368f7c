"""A revision is built once, whole or not at all, whoever is killed or comes at the same time."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import PATIENCE_S
from repositories import new_repository

from assay.errors import BuildError, InputError
from assay.revisions.builder import Builder, BuiltRevision
from assay.revisions.cache import BuildCache
from assay.revisions.recipe import Recipe
from assay.revisions.repository import Repository

# Each build adds a line to a file outside, so that builds can be counted.
COUNT = "echo built >> {}"
MAKE = "mkdir -p out && cp a.txt out/program"


class Bench:
    """A repository, a cache, and builders over both."""

    def __init__(self, folder: Path) -> None:
        self.work = new_repository(folder / "a repository")
        self.work.commit("first", a_txt="1")
        self.work.git("tag", "one")
        self.work.commit("second", a_txt="2")
        self.cache = BuildCache(folder / "the cache")
        self.count = folder / "count"
        self.told: list[str] = []

    def recipe(self, *commands: str, **more: object) -> Recipe:
        wanted = commands or (MAKE,)
        count = COUNT.format(self.count)
        return Recipe((count, *wanted), **more)  # type: ignore[arg-type]

    def builder(self, *commands: str, most_bytes: float = 1e9, **more: object) -> Builder:
        return Builder(
            Repository.open(self.work.root),
            self.recipe(*commands, **more),
            cache=self.cache,
            most_bytes=most_bytes,
            announce=self.told.append,
        )

    def builds(self) -> int:
        return self.count.read_text().count("built") if self.count.exists() else 0

    def kept(self) -> set[str]:
        return {path.name for path in (self.cache.folder / "builds").iterdir()}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def program(built: BuiltRevision) -> str:
    return (built.folder / "out" / "program").read_text()


def test_each_revision_is_built_once(bench: Bench) -> None:
    with bench.builder() as builder:
        first, second = builder.build("one"), builder.build("HEAD")
        assert (program(first), program(second)) == ("1", "2")
        assert len(str(first.folder)) == len(str(second.folder))
        assert not first.was_cached
        assert (second.label, second.commit.subject) == ("git:HEAD", "second")
        assert builder.build("HEAD").was_cached
    with bench.builder() as builder:
        again = builder.build("main")
        assert again.was_cached
        assert again.seconds == second.seconds > 0
        assert "$ mkdir -p out" in again.log.read_text()
    assert bench.builds() == 2
    assert bench.told[0] == f'building git:one, {first.commit.short_hash} "first"'
    assert bench.told[2] == f"building git:one, command 2 of 2: {MAKE}"


def test_what_is_part_of_a_build_and_what_is_not(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = set()

    def build(*commands: str, **more: object) -> int:
        with bench.builder(*commands, **more) as builder:
            keys.add(builder.build("HEAD").key)
        return len(keys)

    assert build() == 1
    assert build() == 1
    assert build("true", MAKE) == 2
    assert build(environment={"MODE": "1"}) == 3
    monkeypatch.setenv("CXXFLAGS", "-O3")
    assert build() == 4
    monkeypatch.setenv("CXX", "/bin/echo another compiler")
    assert build() == 5
    monkeypatch.setenv("EDITOR", "ed")
    assert build(timeout_s=5.0) == 5
    bench.work.commit("nothing changed")
    assert build() == 5, "the same tree is the same build"


def test_the_environment_and_the_folder_of_commands(bench: Bench) -> None:
    bench.work.commit("third", part__b_txt="b")
    recipe = {"folder": "part", "environment": {"WORD": "two words"}}
    with bench.builder('echo "$WORD $(ls)" > said', **recipe) as builder:
        built = builder.build("HEAD")
        assert (built.folder / "said").read_text() == "two words b.txt\n"
        with pytest.raises(InputError, match=r"git:one: this revision has no folder part"):
            builder.build("one")


def test_uncommitted_work_is_built_where_the_user_is_not(bench: Bench) -> None:
    bench.work.write("a.txt", "3")
    before = sorted(bench.work.root.rglob("*"))
    with bench.builder() as builder:
        built = builder.build(".")
        assert (program(built), built.label) == ("3", ".")
        assert builder.build(".").was_cached
        assert program(builder.build("HEAD")) == "2"
        bench.work.git("checkout", "-q", "--", "a.txt")
        assert builder.build(".").key == builder.build("HEAD").key
    assert sorted(bench.work.root.rglob("*")) == before


def test_a_build_that_fails_shows_its_last_lines(bench: Bench) -> None:
    with bench.builder("seq 1 100; echo 'no such header' >&2; exit 7") as builder:
        with pytest.raises(BuildError) as failed:
            builder.build("HEAD")
        error = failed.value
        assert error.exit_code == 3
        assert "git:HEAD: `seq 1 100; " in error.message
        assert "exited with code 7" in error.message
        assert str(error.log) in error.message
        assert error.details == (*map(str, range(62, 101)), "no such header")
        assert error.log.read_text().count("\n") > 100
        with pytest.raises(BuildError):
            builder.build("HEAD")
    assert bench.builds() == 2, "a failed build is tried again"


def test_a_missing_build_program_is_told_with_what_helps(bench: Bench, tmp_path: Path) -> None:
    bench.work.commit("CMake", CMakeLists_txt="project(x NONE)\n")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("cmake", "sh"):
        (programs / name).symlink_to(str(shutil.which(name)))
    only = {"PATH": str(programs), "CMAKE_GENERATOR": "Unix Makefiles"}
    with (
        bench.builder("cmake -S . -B build", environment=only) as builder,
        pytest.raises(BuildError) as failed,
    ):
        builder.build("HEAD")
    assert "; apt-get install make, or set CMAKE_GENERATOR=Ninja; all its" in failed.value.message


def test_a_build_that_takes_too_long_is_ended_whole(bench: Bench, tmp_path: Path) -> None:
    child = tmp_path / "child"
    command = f"sleep 600 & echo $! > '{child}'; wait"
    with (
        bench.builder(command, timeout_s=0.5) as builder,
        pytest.raises(BuildError, match=r"longer than timeout_s = 0\.5"),
    ):
        builder.build("HEAD")
    waited_for(lambda: gone(int(child.read_text())))


CHILD = """
import signal
import sys
from pathlib import Path
from assay.revisions.builder import Builder
from assay.revisions.cache import BuildCache
from assay.revisions.recipe import Recipe
from assay.revisions.repository import Repository

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where tests run in the background
root, cache, count, command = sys.argv[1:]
recipe = Recipe((f"echo built >> {count}", command))
with Builder(Repository.open(Path(root)), recipe, cache=BuildCache(Path(cache))) as builder:
    built = builder.build("HEAD")
    print((built.folder / "out" / "program").read_text(), built.was_cached)
"""


@pytest.fixture
def other(bench: Bench) -> Iterator[Callable[[str], "subprocess.Popen[str]"]]:
    """Starts processes that build HEAD by the same recipe as `bench.builder(command)`."""
    started = []

    def start(command: str) -> "subprocess.Popen[str]":
        words = (bench.work.root, bench.cache.folder, bench.count, command)
        process = subprocess.Popen(
            [sys.executable, "-c", CHILD, *map(str, words)], stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


def waited_for(happened: Callable[[], object]) -> None:
    for _ in range(1500):
        if happened():
            return
        time.sleep(0.02)
    pytest.fail("it did not happen")


def gone(pid: int) -> bool:
    """Ended, or a zombie whose new parent has not looked yet."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return True


def test_two_at_once_build_once(
    bench: Bench, tmp_path: Path, other: Callable[[str], "subprocess.Popen[str]"]
) -> None:
    go = tmp_path / "go"
    command = f"while [ ! -e '{go}' ]; do sleep 0.02; done; {MAKE}"
    both = [other(command), other(command)]
    waited_for(bench.builds)
    time.sleep(0.3)  # for the other to arrive; were it later, it would find the build finished
    go.touch()
    said = sorted(process.communicate(timeout=PATIENCE_S)[0].strip() for process in both)
    assert said == ["2 False", "2 True"]
    assert bench.builds() == 1


def test_a_killed_build_is_made_anew_and_what_ran_on_is_ended(
    bench: Bench, tmp_path: Path, other: Callable[[str], "subprocess.Popen[str]"]
) -> None:
    child, once = tmp_path / "child", tmp_path / "once"
    command = (
        f"echo half > half; if [ ! -e '{once}' ]; then touch '{once}'; "
        f"setsid sleep 600 & echo $! > '{child}'; wait; fi; {MAKE}; ls > out/program"
    )
    process = other(command)
    waited_for(lambda: child.exists() and child.read_text().endswith("\n"))
    process.kill()  # SIGKILL
    process.wait()
    left = int(child.read_text())
    with bench.builder(command) as builder:
        built = builder.build("HEAD")
        assert not built.was_cached
        assert program(built) == "a.txt\nhalf\nout\n"
    waited_for(lambda: gone(left))
    assert bench.builds() == 2


def test_an_interrupt_ends_the_build_whole(
    bench: Bench, tmp_path: Path, other: Callable[[str], "subprocess.Popen[str]"]
) -> None:
    child = tmp_path / "child"
    process = other(f"sleep 600 & echo $! > '{child}'; wait")
    waited_for(lambda: child.exists() and child.read_text().endswith("\n"))
    process.send_signal(signal.SIGINT)
    assert process.wait(30) != 0
    waited_for(lambda: gone(int(child.read_text())))


def test_the_oldest_builds_go_first_and_never_one_in_use(bench: Bench) -> None:
    big = f"{MAKE}; head -c 1000000 /dev/zero > out/big"
    with bench.builder(big) as builder:
        first = builder.build("one")
        second = builder.build("HEAD")
        for built, when in ((first, 1), (second, 2)):
            os.utime(built.lease.place.facts, (when, when))
        bench.work.commit("third", a_txt="3")
        with bench.builder(big, most_bytes=1e6) as another:
            third = another.build("HEAD")
            assert bench.kept() == {first.key, second.key, third.key}, "all are in use"
    bench.work.commit("fourth", a_txt="4")
    with bench.builder(big, most_bytes=2.5e6) as builder:
        fourth = builder.build("HEAD")
        assert bench.kept() == {third.key, fourth.key}
        assert not first.log.exists()


def test_half_a_build_goes_before_whole_ones(bench: Bench) -> None:
    with bench.builder(f"{MAKE}; test $(cat a.txt) != 2") as builder:
        whole = builder.build("one")
        with pytest.raises(BuildError):
            builder.build("HEAD")
        assert len(bench.kept()) == 2
    with bench.builder(MAKE, most_bytes=200_000) as builder:
        last = builder.build("one")
        size = whole.lease.finished.bytes + last.lease.finished.bytes
        bench.cache.remove_until_small(size)
        assert bench.kept() == {whole.key, last.key}


def test_a_build_that_makes_folders_read_only_can_be_removed(bench: Bench) -> None:
    with bench.builder("mkdir -p locked/in && touch locked/in/x && chmod -R a-w locked") as builder:
        builder.build("HEAD")
    bench.cache.remove_until_small(0)
    assert bench.kept() == set()


def test_a_cache_that_cannot_be_written(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    bench.cache = BuildCache(tmp_path / "file" / "cache")
    with (
        bench.builder() as builder,
        pytest.raises(
            InputError, match=r"file.*: revisions cannot be built here: .*XDG_CACHE_HOME"
        ),
    ):
        builder.build("HEAD")


def test_when_the_cache_is_deleted_the_repository_is_as_it_was(bench: Bench) -> None:
    with bench.builder() as builder:
        builder.build("HEAD")
    shutil.rmtree(bench.cache.folder)
    assert bench.work.git("worktree", "list").count("\n") == 0
    assert bench.work.git("fsck") == ""
    with bench.builder() as builder:
        assert program(builder.build("HEAD")) == "2"


def test_a_build_script_that_asks_git(bench: Bench) -> None:
    with bench.builder("git describe --tags --always --dirty > said") as builder:
        built = builder.build("HEAD")
        said = (built.folder / "said").read_text().strip()
        assert said.startswith("one-1-g")
