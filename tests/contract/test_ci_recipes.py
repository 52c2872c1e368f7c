"""The recipes for CI that the guides show are run, step by step, as GitHub and GitLab do.

A runner is imitated: the checkout with the depth that the recipe asks for (or the default of the
CI system), a folder for HOME, and `apt-get` and `sudo`, which look whether the packages named are
installed here, where `./dev setup` installed them. Everything else is what the recipe says.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import pytest
from conftest import ROOT
from patience import PATIENCE_S
from ruamel.yaml import YAML
from wheel import made_wheel, pins

TEMPLATE = ROOT / "templates" / "assay-gate.gitlab-ci.yml"
RECIPES = ROOT / "examples" / "ci"
INHERITED = re.compile(r"PIP_.*|.*_proxy|SSL_CERT_FILE|REQUESTS_CA_BUNDLE", re.IGNORECASE)
APT_GET = """\
[ "$1" = update ] && exit 0
[ "$1 $2" = "install -y" ] || { echo "apt-get: what is $*?" >&2; exit 100; }
shift 2
for each in "$@"; do
  dpkg-query -W -f='${Status}' "$each" 2> /dev/null | grep -q 'ok installed' && continue
  echo "E: Unable to locate package $each" >&2
  exit 100
done
"""
LESS = "\n[compare]\nbudget_s = 2\n"


class Runner(NamedTuple):
    """Where a recipe is run: a repository to check out, and the variables of a step."""

    origin: Path
    work: Path
    env: dict[str, str]

    def check_out(self, depth: str) -> None:
        """What is to be tested, with so many commits of its history; "0": all."""
        limit = [] if depth == "0" else ["--depth", depth]
        url = f"file://{self.origin}"
        command = ["git", "clone", "--quiet", "--branch", "change", *limit, url, str(self.work)]
        subprocess.run(command, check=True, capture_output=True)
        if not limit:
            git(self.work, "fetch", "--quiet", "origin", "main")

    def step(self, line: str) -> subprocess.CompletedProcess[str]:
        """One line for the shell, as CI runs it."""
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", line],
            cwd=self.work,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a branch `change`, with the wheel of Assay at its top."""
    folder = tmp_path_factory.mktemp("ci") / "words"
    script = ROOT / "examples" / "08_history" / "make_repository.sh"
    subprocess.run([str(script), str(folder)], check=True)
    shutil.copy(made_wheel(tmp_path_factory), folder)
    with (folder / "assay.toml").open("a") as file:
        file.write(LESS)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "How to measure")
    git(folder, "checkout", "--quiet", "-b", "change")
    (folder / "README").write_text("Formats log lines well.\n")
    git(folder, "commit", "--quiet", "--all", "--message", "Say how well")
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all recipes: what pip fetched once need not be fetched again."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def runner(origin: Path, home: Path, tmp_path: Path) -> Runner:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in (("apt-get", APT_GET), ("sudo", 'exec "$@"\n')):
        (programs / name).write_text(f"#!/bin/sh\n{text}")
        (programs / name).chmod(0o755)
    env = {
        **where_packages_are(),
        "PATH": f"{programs}:/usr/bin:/bin",
        "HOME": str(home),
        "PIP_CONSTRAINT": str(pins(tmp_path)),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    return Runner(origin, tmp_path / "work", env)


def where_packages_are() -> dict[str, str]:
    """What this machine says of it, which a HOME of its own would hide."""
    told = {name: text for name, text in os.environ.items() if INHERITED.fullmatch(name)}
    own = Path.home() / ".config" / "pip" / "pip.conf"
    return {"PIP_CONFIG_FILE": str(own), **told} if own.exists() else told


def recipes(pattern: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and content of each."""
    for path in sorted(RECIPES.glob(pattern)):
        yield path.name, YAML(typ="safe", pure=True).load(path.read_text())


def run_github(job: dict[str, Any], runner: Runner) -> None:
    for step in job["steps"]:
        if step.get("uses", "").startswith("actions/checkout@"):
            runner.check_out(str(step.get("with", {}).get("fetch-depth", 1)))
            continue
        done = runner.step(step["run"])
        assert done.returncode == 0, f"{step['run']}\n{done.stdout}{done.stderr}"
    assert "same" in Path(runner.env["GITHUB_STEP_SUMMARY"]).read_text()


def run_gitlab(job: dict[str, Any], runner: Runner) -> None:
    runner.check_out(job.get("variables", {}).get("GIT_DEPTH", "20"))
    for line in job["script"]:
        done = runner.step(line)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    artifacts = job["artifacts"]
    for name in (*artifacts["paths"], *artifacts["reports"].values()):
        assert (runner.work / name).stat().st_size > 0, name


@pytest.mark.slow
@pytest.mark.xdist_group("ci recipes")
@pytest.mark.parametrize(
    ("pattern", "run"), [("github-*.yml", run_github), ("gitlab-*.yml", run_gitlab)]
)
def test_every_step_of_every_recipe_runs(
    pattern: str, run: Callable[[dict[str, Any], Runner], None], runner: Runner
) -> None:
    found = list(recipes(pattern))
    assert len(found) >= 2
    for name, recipe in found:
        (job,) = recipe.get("jobs", recipe).values()
        run(job, runner._replace(work=runner.work / name))
        assert "<testsuite" in (runner.work / name / "gate.xml").read_text()


@pytest.mark.slow
@pytest.mark.xdist_group("ci recipes")
def test_the_template_runs_as_a_job_that_extends_it(runner: Runner) -> None:
    """With the variables that GitLab sets for a merge request, and those of the template."""
    (job,) = YAML(typ="safe", pure=True).load(TEMPLATE.read_text()).values()
    given = {
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_PROJECT_DIR": str(runner.work),
        "CI_JOB_IMAGE": job["image"],
    }
    own = {name: Template(text).substitute(given) for name, text in job["variables"].items()}
    run_gitlab(job, runner._replace(env={**runner.env, **given, **own}))
    assert "<testsuite" in (runner.work / "gate.xml").read_text()
    assert {".cache/assay", ".assay"} < set(job["cache"]["paths"])
    assert (runner.work / ".cache" / "assay").is_dir()


def test_every_recipe_is_run_and_shown_in_a_guide() -> None:
    names = {path.name for path in RECIPES.iterdir()}
    run = {name for pattern in ("github-*.yml", "gitlab-*.yml") for name, _ in recipes(pattern)}
    assert names == run
    guides = "".join(path.read_text() for path in (ROOT / "docs" / "guides").glob("*.md"))
    assert {name for name in names if f"<!-- quoted: examples/ci/{name} -->" in guides} == names


def test_lint_reads_every_recipe() -> None:
    lint = (ROOT / "tools" / "dev" / "verbs.sh").read_text()
    for system in ("github", "gitlab"):
        assert f"examples/ci/{system}-*.yml" in lint
