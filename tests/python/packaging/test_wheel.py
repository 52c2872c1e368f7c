"""What `pip install .` gives, in an environment that holds nothing else."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from conftest import ROOT, Done
from wheel import clean_environment, installed_wheel, made_wheel

Installed = Callable[..., Done]
# Distributions whose module is called otherwise.
MODULES = {"vl-convert-python": "vl_convert"}
OVERHEAD = """
target = "cmd:true"
[measure]
rounds = 1
[[condition]]
name = "wrapped"
wrap = "env"
"""


def test_what_is_imported_is_required_and_nothing_else() -> None:
    required = {re.split(r"[<>=!~ \[]", one)[0] for one in _required()}
    modules = {MODULES.get(name, name) for name in required}
    assert modules == _imported() - sys.stdlib_module_names - {"assay"}


def test_what_is_required_is_bounded_and_what_is_pinned_lies_within() -> None:
    lists = (ROOT / "requirements" / f"{name}.txt" for name in ("runtime", "dev"))
    pins = "".join(one.read_text() for one in lists)
    pinned = dict(re.findall(r"(?m)^([\w-]+)==([\d.]+)", pins))
    for one in _required():
        bounded = re.fullmatch(r"([\w-]+)>=([\d.]+),<([\d.]+)", one)
        assert bounded, one
        name, least, beyond = bounded.groups()
        assert _numbers(least) <= _numbers(pinned[name]) < _numbers(beyond), one


def _required() -> list[str]:
    """What an installation needs, and what its extras need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [*project["dependencies"], *chain(*project["optional-dependencies"].values())]


def _numbers(version: str) -> list[int]:
    return [int(one) for one in version.split(".") if one]


@pytest.mark.slow
def test_one_wheel_is_for_every_python(tmp_path_factory: pytest.TempPathFactory) -> None:
    # It was cp311 once, which the Python 3.12 of GitHub's machines refuses.
    name = made_wheel(tmp_path_factory).name
    assert re.fullmatch(r"assay-[\d.]+-py3-none-manylinux_2_28_x86_64\.whl", name)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Runs `assay` of a wheel, whose only lab is the OS lab; made once for all workers."""
    folder = installed_wheel(tmp_path_factory)
    clean = clean_environment(folder.parent)

    def run(*words: object, cwd: Path) -> Done:
        command = [str(folder / "bin" / "assay"), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=clean)
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.mark.slow
def test_it_measures_compares_and_draws(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(OVERHEAD)
    for line in (
        "run cmd:true --rounds 1 --quiet -o run.json --html run.html",
        "compare cmd:true cmd:true --rounds 2 --quiet -o both.json --html both.html",
        "report both.json -o report.html",
        "report both.json -o report.svg",
        "multiview run.json run.json -o multiview.html",
        "overhead plan.toml --quiet --html overhead.html",
        "list cmd:true",
        "doctor",
    ):
        done = installed(*line.split(), cwd=tmp_path)
        assert done.code == 0, f"assay {line}\n{done.err}"
        assert done.out, f"assay {line}"
    for page in ("run", "both", "report", "multiview", "overhead"):
        text = (tmp_path / f"{page}.html").read_text()
        assert "<!doctype html>" in text[:200].lower(), page
        assert "true" in text, page
    assert "<svg" in (tmp_path / "report.svg").read_text()[:200]


@pytest.mark.slow
def test_its_os_lab_measures_and_says_how_it_is_linked(
    installed: Installed, tmp_path: Path
) -> None:
    for case in ("getpid", "exec"):
        done = installed("os", case, "-C", "20", "-D", "5", "--json", "os.json", cwd=tmp_path)
        assert done.code == 0, done.err
        document = json.loads((tmp_path / "os.json").read_text())
        assert document["context"]["assay"]["linking"] == "static"
        assert min(row["real_time"] for row in document["benchmarks"]) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", ["index stlmap", "index --crash 1 lmdb", "suite restore", "os list --target"]
)
def test_a_lab_that_was_not_built_says_how_to_get_it(
    installed: Installed, tmp_path: Path, line: str
) -> None:
    done = installed(*line.split(), cwd=tmp_path)
    assert done.code == 3
    assert "not part of this installation; run `./dev setup` in a clone of Assay" in done.err
    assert "pip install" not in done.err
    assert done.err.count("\n") == 1


def _imported() -> set[str]:
    """Top-level names of every module the package imports, wherever in a file."""
    found: set[str] = set()
    for path in (ROOT / "src" / "assay").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found.update(one.name.split(".")[0] for one in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
    return found
