"""The oldest versions that `pip` may choose do what the pinned ones do."""

import re
import subprocess
import tomllib
import venv
from pathlib import Path

import pytest
from conftest import ROOT
from wheel import alone, clean_environment, made_wheel, pip, shared_folder

# What the contract's tests need beside Assay, and nothing that would ask for newer ones.
OF_TESTS = ("pytest", "ruamel-yaml")
CONTRACT = ("test_said.py", "test_golden.py", "test_promises.py")


def lowest() -> dict[str, str]:
    """Each package that Assay requires, with the lowest version that it may have."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return dict(re.findall(r"^([\w-]+)>=([\d.]+),", one)[0] for one in project["dependencies"])


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and the lowest versions of what it requires."""
    folder, wheel = shared_folder(tmp_path_factory) / "lowest", made_wheel(tmp_path_factory)
    with alone(folder.with_suffix(".lock")):
        if not (folder / "bin" / "pytest").exists():
            venv.create(folder, with_pip=True)
            bounds = folder / "lowest.txt"
            # What the lowest need in turn is pinned, so that no day's newest release decides.
            text = (ROOT / "requirements" / "dev.txt").read_text()
            pinned = dict(re.findall(r"(?m)^([\w.-]+)==(\S+)", text))
            versions = (pinned | lowest()).items()
            bounds.write_text("".join(f"{name}=={version}\n" for name, version in versions))
            pip(folder / "bin" / "python", "install", "-c", bounds, wheel, *OF_TESTS)
    return folder


def done(folder: Path, program: str, *words: str, cwd: Path) -> str:
    command = [str(folder / "bin" / program), *words]
    env = clean_environment(folder.parent)
    told = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=env)
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


@pytest.mark.slow
@pytest.mark.xdist_group("lowest")
def test_the_lowest_are_what_is_installed(old: Path) -> None:
    frozen = done(old, "python", "-m", "pip", "freeze", cwd=old).lower().replace("_", "-")
    there = dict(re.findall(r"(?m)^([\w-]+)==([\d.]+)$", frozen))
    for name, low in lowest().items():
        parts = low.split(".")
        assert there[name].split(".")[: len(parts)] == parts, name


@pytest.mark.slow
@pytest.mark.xdist_group("lowest")
def test_they_say_what_the_contract_holds(old: Path) -> None:
    """The tests of the contract, by the wheel: none of them knows of the sources."""
    files = [f"tests/contract/{name}" for name in CONTRACT]
    said = done(old, "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *files, cwd=ROOT)
    assert re.search(r"\d\d+ passed|\.{20}", said)
    where = done(old, "python", "-c", "import assay; print(assay.__file__)", cwd=old)
    assert where.startswith(str(old))


@pytest.mark.slow
@pytest.mark.xdist_group("lowest")
def test_they_measure_draw_and_keep(old: Path, tmp_path: Path) -> None:
    for line in (
        "compare cmd:true cmd:true --rounds 2 --quiet -o both.json --html both.html",
        "report both.json -o report.svg",
        "runs import both.json --store kept",
        "runs --store kept",
        "doctor",
    ):
        assert done(old, "assay", *line.split(), cwd=tmp_path), line
    assert "<svg" in (tmp_path / "report.svg").read_text()[:200]
