"""A wheel brings manual pages and completion, weighs little, and leaves nothing when it goes."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
import release
from conftest import ROOT
from remotes import git
from stores import Step, filled
from wheel import clean_environment, installed_wheel, made_wheel, pip

Environment = dict[str, str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed_wheel(tmp_path_factory)


@pytest.fixture(scope="module")
def variables(folder: Path) -> Environment:
    """With the programs of the wheel before those of the system, as in an activated environment."""
    return {**clean_environment(folder.parent), "PATH": f"{folder / 'bin'}:/usr/bin:/bin"}


def told(*words: str, env: Environment, cwd: Path | None = None) -> str:
    if shutil.which(words[0], path=env["PATH"]) is None:
        pytest.skip(f"no {words[0]}")
    done = subprocess.run(words, capture_output=True, text=True, env=env, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("how", ["PATH", "MANPATH"])
def test_man_finds_the_pages(folder: Path, variables: Environment, how: str) -> None:
    env = {**variables, "MANPAGER": "cat", "MANWIDTH": "100"}
    if how == "MANPATH":
        env.update(PATH="/usr/bin:/bin", MANPATH=str(folder / "share" / "man"))
    page = folder / "share" / "man" / "man1" / "assay-compare.1"
    assert Path(told("man", "-w", "assay-compare", env=env).strip()) == page
    assert "Each has a page of its own." in told("man", "assay", env=env)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, variables: Environment) -> Path:
    """A repository with a tag, and a store with a label whose catalogue is made."""
    folder = tmp_path_factory.mktemp("project")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    git(folder, "tag", "v1.0")
    (folder / "assay.toml").write_text('[suites.parser]\nrun = "b"\n')
    store = filled(folder / ".assay", {"BM_parse": Step(), "BM_print": Step()}, runs=2)
    store.folder.label(store.folder.newest(), "release/1.0")
    told("assay", "runs", env=variables, cwd=folder)
    return folder


TYPED = {
    "assay comp": ["compare", "completion"],
    "assay compare --filter BM_pr": ["BM_print"],
    "assay runs show rel": ["release/1.0"],
    "assay gate v": ["v1.0"],
}
# What each is asked; compadd of zsh works only while somebody types, so that here it prints.
ASKED = {
    "bash": """eval "$(assay completion bash)"; COMP_LINE=$1; COMP_POINT=${#COMP_LINE}; _assay
        printf "%s\\n" "${COMPREPLY[@]}" """,
    "zsh": """compdef() { : }; eval "$(assay completion zsh)"; compadd() { shift; print -l -- "$@" }
        words=(${=1}); CURRENT=${#words}; PREFIX=$words[-1]; _assay""",
    "fish": "assay completion fish | source; complete -C $argv[1]",
}
QUIET = {"bash": ("--norc", "-c"), "zsh": ("-f", "-c"), "fish": ("--no-config", "-c")}


@pytest.mark.slow
@pytest.mark.parametrize("shell", ASKED)
@pytest.mark.parametrize("line", TYPED)
def test_a_shell_completes(project: Path, variables: Environment, shell: str, line: str) -> None:
    name = () if shell == "fish" else (shell,)
    found = told(shell, *QUIET[shell], ASKED[shell], *name, line, env=variables, cwd=project)
    assert sorted(found.split()) == TYPED[line]


@pytest.mark.slow
def test_it_is_small(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert made_wheel(tmp_path_factory).stat().st_size <= release.LIMIT_BYTES


@pytest.mark.slow
def test_nothing_stays_when_it_is_uninstalled(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    place = tmp_path / "env"
    venv.create(place)
    before = set(place.rglob("*"))
    python = Path(sys.executable)
    pip(python, "--python", place, "install", "--no-deps", made_wheel(tmp_path_factory))
    assert (place / "share" / "man" / "man1" / "assay.1").exists()
    env = {**clean_environment(tmp_path), "PYTHONPATH": _site_packages()}
    assert "compare" in told(str(place / "bin" / "assay"), "--help", env=env)
    pip(python, "--python", place, "uninstall", "--yes", "assay")
    left = set(place.rglob("*")) - before
    assert {str(one.relative_to(place)) for one in left if not one.is_dir()} == set()


def _site_packages() -> str:
    """Where what Assay needs lies; what is installed in place there is not found by a path."""
    import msgspec

    return str(Path(msgspec.__file__).parents[1])


@pytest.mark.slow
def test_the_wheel_and_its_list_lie_in_dist(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `./dev wheel` leaves there, and what an earlier one left is gone."""
    wheel, dist = made_wheel(tmp_path_factory), tmp_path / "dist"
    dist.mkdir()
    (dist / "assay-0.0.0-py3-none-linux_x86_64.whl").touch()
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "built", lambda _, folder, **__: Path(shutil.copy(wheel, folder)))
    monkeypatch.setattr(release, "sources", lambda _, folder: Path(shutil.copy(__file__, folder)))
    only = ["--arch", release.HERE]
    assert release.main(only) == 0
    made = {wheel.name, f"{wheel.name}.cdx.json", Path(__file__).name}
    assert {one.name for one in dist.iterdir()} == made
    monkeypatch.setattr(release, "LIMIT_BYTES", 1000)
    assert release.main(only) == 1


@pytest.mark.slow
def test_the_released_sources_give_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """In another folder, with another umask: what is compiled comes from the cache of the compiler,
    where there is one, so that what a path gets into is looked at, too."""
    wheel = made_wheel(tmp_path_factory)
    assert str(ROOT).encode() not in b"".join(_contents(wheel))
    before = os.umask(0o077)
    try:
        with tarfile.open(release.sources(ROOT, tmp_path)) as file:
            file.extractall(tmp_path)
        (folder,) = tmp_path.glob("assay-*/")
        other = release.built(folder, tmp_path / "dist", when=release.date(ROOT))
    finally:
        os.umask(before)
    assert _digests(other) == _digests(wheel)
    assert (
        hashlib.sha256(other.read_bytes()).digest() == hashlib.sha256(wheel.read_bytes()).digest()
    )


@pytest.mark.slow
def test_the_sources_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    first = release.sources(ROOT, tmp_path / "first").read_bytes()
    before = os.umask(0o077)
    try:
        assert release.sources(ROOT, tmp_path / "second").read_bytes() == first
    finally:
        os.umask(before)


def _digests(wheel: Path) -> dict[str, str]:
    with zipfile.ZipFile(wheel) as file:
        return {name: hashlib.sha256(file.read(name)).hexdigest() for name in file.namelist()}


def _contents(wheel: Path) -> list[bytes]:
    with zipfile.ZipFile(wheel) as file:
        return [name.encode() + b"\n" + file.read(name) for name in sorted(file.namelist())]
