"""The action and its comment, step by step as GitHub's runner does: its variables, files, event.

What a runner does is imitated here as far as these files use it: `${{ }}` of plain names, a shell
with `-e -o pipefail`, outputs, PATH, a summary, artifacts. The checkout has one commit, there is
no token in any variable of the gate, and nothing may be written to the repository it came from.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import ROOT
from remotes import PROGRAM, git
from ruamel.yaml import YAML

EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
RECIPE = """\
[build]
commands = ["mkdir -p build", "cp work.sh build/work.sh"]
placement = "keep"
[suites.main]
run = "cmd:sh build/work.sh"
[compare]
budget_s = 60
"""


def read(name: str) -> dict[str, Any]:
    return YAML(typ="safe", pure=True).load((ROOT / name).read_text())  # type: ignore[no-any-return]


def filled(text: str, names: Mapping[str, str]) -> str:
    """With each `${{ name }}`; one that the runner does not know is empty, as GitHub has it."""
    return EXPRESSION.sub(lambda found: names.get(found[1], ""), text)


class Ran(NamedTuple):
    """What a job left."""

    code: int
    said: str
    summary: str
    artifact: Path


def origin(folder: Path, changed: str) -> Path:
    """A repository whose branch `change` changes one file, and has left main one commit ago."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "assay.toml").write_text(RECIPE)
    (folder / "work.sh").write_text("sleep 0.01\n")
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", "Begin")
    git(folder, "checkout", "-q", "-b", "change")
    (folder / changed).write_text("sleep 0.4\n")
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", "Change it")
    git(folder, "checkout", "-q", "main")
    (folder / "NEWS").write_text("main has gone on\n")
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", "Go on")
    return folder


def wheel(folder: Path) -> Path:
    """A wheel whose `assay` is the one that is tested here: pip needs no network for it."""
    path = folder / "assay-9.9-py3-none-any.whl"
    package = f"import os, sys\ndef main():\n    os.execv({sys.executable!r}, [{sys.executable!r},"
    package += f" '-c', {PROGRAM!r}, *sys.argv[1:]])\n"
    about = "assay_tested-9.9.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("assay_tested.py", package)
        file.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: assay\nVersion: 9.9\n")
        file.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr(f"{about}/entry_points.txt", "[console_scripts]\nassay = assay_tested:main\n")
        file.writestr(f"{about}/RECORD", "")
    return path.rename(folder / "assay_tested-9.9-py3-none-any.whl")


def run_action(tmp_path: Path, source: Path, **inputs: str) -> Ran:
    """The job of examples/action/gate.yml at `change`, from the checkout on."""
    work = tmp_path / "work"
    clone = ["git", "clone", "-q", "--depth", "1", "--branch", "change", f"file://{source}", work]
    subprocess.run(clone, check=True)
    return run_steps(tmp_path, work, **inputs)


def run_steps(tmp_path: Path, work: Path, **inputs: str) -> Ran:
    """The steps of the action in a checkout."""
    runner = Runner(tmp_path, work, inputs)
    code = 0
    for step in read("action.yml")["runs"]["steps"]:
        if "run" in step:
            code = code or runner.run(step)
        elif step["uses"].startswith("actions/upload-artifact@"):
            runner.keep(step)
    return Ran(code, runner.said, runner.text("summary"), tmp_path / "artifact")


class Runner:
    """Of one job; holds what its steps have said so far."""

    def __init__(self, folder: Path, work: Path, inputs: Mapping[str, str]) -> None:
        self._folder, self._work, self.said = folder, work, ""
        given = {name: one.get("default", "") for name, one in read("action.yml")["inputs"].items()}
        given.update({name.replace("_", "-"): text for name, text in inputs.items()})
        assert set(given) == set(read("action.yml")["inputs"])
        self._names = {f"inputs.{name}": text for name, text in given.items()}
        self._names["github.action_path"] = str(ROOT)
        (folder / "event.json").write_text(json.dumps({"pull_request": {"number": 7}}))
        for name in ("summary", "output", "path"):
            (folder / name).touch()

    def text(self, name: str) -> str:
        return (self._folder / name).read_text()

    def run(self, step: dict[str, Any]) -> int:
        env = {name: filled(text, self._names) for name, text in step.get("env", {}).items()}
        found = self.text("path").split()
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=self._work / filled(step.get("working-directory", "."), self._names),
            env={**self._variables(), **env, "PATH": ":".join([*found, "/usr/bin", "/bin"])},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        self.said += done.stdout + done.stderr
        for line in self.text("output").splitlines():
            name, _, value = line.partition("=")
            self._names[f"steps.{step.get('id')}.outputs.{name}"] = value
        return done.returncode

    def keep(self, step: dict[str, Any]) -> None:
        if path := filled(step["with"]["path"], self._names):  # as the step's `if` asks
            shutil.copytree(path, self._folder / "artifact")

    def _variables(self) -> dict[str, str]:
        files = {
            "SUMMARY": "summary",
            "OUTPUT": "output",
            "PATH": "path",
            "EVENT_PATH": "event.json",
        }
        named = {"STEP_SUMMARY" if key == "SUMMARY" else key: name for key, name in files.items()}
        kept = {name: os.environ[name] for name in ("ASSAY_LIBEXEC",) if name in os.environ}
        return {
            **{f"GITHUB_{key}": str(self._folder / name) for key, name in named.items()},
            **kept,
            "GITHUB_BASE_REF": "main",
            "HOME": str(self._folder / "home"),
            "RUNNER_TEMP": str(self._folder),
            "PIP_NO_INDEX": "1",
        }


@pytest.mark.slow
def test_a_slowdown_fails_and_says_why(tmp_path: Path) -> None:
    source = origin(tmp_path / "origin", "work.sh")
    before = git(source, "for-each-ref")
    ran = run_action(tmp_path, source, install=str(wheel(tmp_path)))
    assert ran.code == 1, ran.said
    assert "▲ slower" in ran.summary
    assert "▲ slower" in (ran.artifact / "gate.md").read_text()
    assert json.loads((ran.artifact / "pull-request.json").read_text()) == {"number": 7}
    assert "<testsuite" in (ran.artifact / "gate.xml").read_text()
    assert json.loads((ran.artifact / "gate.json").read_text())["benchmarks"]
    assert git(source, "for-each-ref") == before


@pytest.mark.slow
def test_a_change_that_builds_the_same_passes(tmp_path: Path) -> None:
    """It is compared with the commit at which it left main, not with what main is now."""
    source = origin(tmp_path / "origin", "README")
    ran = run_action(tmp_path, source, install=str(wheel(tmp_path)), arguments="--margin 50%")
    assert ran.code == 0, ran.said
    assert "`sh build/work.sh`" in ran.summary
    assert "▲ slower" not in ran.summary


def test_what_cannot_be_measured_is_in_the_summary(tmp_path: Path) -> None:
    source = origin(tmp_path / "origin", "README")
    ran = run_action(tmp_path, source, install=str(wheel(tmp_path)), arguments="--marign 1%")
    assert ran.code == 2, ran.said
    assert "assay gate gave no result (exit code 2)" in ran.summary


def test_a_base_that_is_not_there_is_told(tmp_path: Path) -> None:
    source = origin(tmp_path / "origin", "README")
    ran = run_action(tmp_path, source, install=str(wheel(tmp_path)), base="nowhere", artifact="")
    assert ran.code != 0
    assert "couldn't find remote ref refs/heads/nowhere" in ran.said


def test_no_expression_stands_in_a_line_for_the_shell() -> None:
    """A branch may be called `$(command)`: names come by the environment only."""
    for name in ("action.yml", "comment/action.yml"):
        lines = [step["run"] for step in read(name)["runs"]["steps"] if "run" in step]
        assert lines
        assert not [line for line in lines if "${{" in line]


def test_builds_and_runs_are_cached() -> None:
    (cache,) = (
        one for one in read("action.yml")["runs"]["steps"] if "cache@" in one.get("uses", "")
    )
    paths = filled(cache["with"]["path"], {"inputs.working-directory": "."}).split()
    assert {"~/.cache/assay", "./.assay"} < set(paths)
    assert cache["with"]["key"].startswith(cache["with"]["restore-keys"])


def test_the_gate_needs_no_right_to_write() -> None:
    assert read("examples/action/gate.yml")["permissions"] == {"contents": "read"}
    assert "token" not in (ROOT / "action.yml").read_text().lower()


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="no actionlint")
def test_actionlint_finds_nothing() -> None:
    names = sorted(
        str(path) for path in (ROOT / "examples").glob("*/*.yml") if "gitlab" not in path.name
    )
    done = subprocess.run(["actionlint", "-shellcheck=", *names], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


class Comments:
    """Of one pull request, as GitHub's API gives and takes them."""

    def __init__(self, head: str) -> None:
        self.head, self.all, self.tokens = head, [], set[str]()
        self.all: list[dict[str, Any]] = []

    def add(self, body: str, kind: str = "Bot") -> None:
        self.all.append({"id": len(self.all) + 1, "body": body, "user": {"type": kind}})


@contextmanager
def served(comments: Comments, status: int = 200) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size) or b"{}")
            comments.tokens.add(self.headers["Authorization"])
            said: Any = {"head": {"sha": comments.head}}
            if self.command == "POST":
                assert self.path == "/repos/o/r/issues/7/comments"
                comments.add(body["body"])
            elif self.command == "PATCH":
                comments.all[int(self.path.rpartition("/")[2]) - 1]["body"] = body["body"]
            elif "comments" in self.path:
                page = int(self.path.rpartition("=")[2])
                said = comments.all[100 * (page - 1) : 100 * page]
            data = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _answer  # noqa: N815 - names that the base class asks for

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def comment(
    folder: Path, comments: Comments, said: str, number: object = 7, status: int = 200
) -> "subprocess.CompletedProcess[str]":
    """The last step of comment/action.yml, with what the download before it brought."""
    folder.mkdir(exist_ok=True)
    (folder / "gate.md").write_text(said)
    (folder / "pull-request.json").write_text(json.dumps({"number": number}))
    event = {"workflow_run": {"head_sha": "a" * 40, "html_url": "https://example.invalid/run/1"}}
    (folder / "event.json").write_text(json.dumps(event))
    (step,) = [step for step in read("comment/action.yml")["runs"]["steps"] if "run" in step]
    names = {"github.action_path": str(ROOT / "comment"), "github.token": "of the job"}
    env = {name: filled(text, names) for name, text in step["env"].items()}
    with served(comments, status) as url:
        github = {"GITHUB_API_URL": url, "GITHUB_REPOSITORY": "o/r"}
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            env={
                **env,
                **github,
                "RESULTS": str(folder),
                "GITHUB_EVENT_PATH": str(folder / "event.json"),
                "PATH": os.environ["PATH"],
            },
            capture_output=True,
            text=True,
        )


def test_one_comment_is_made_and_then_updated(tmp_path: Path) -> None:
    comments = Comments("a" * 40)
    for number in range(120):
        comments.add(f"<!-- assay-gate --> said by somebody, {number}", kind="User")
    for said in ("**1 is slower**", "**all are the same**"):
        done = comment(tmp_path / "results", comments, said)
        assert done.returncode == 0, done.stderr
    assert len(comments.all) == 121
    assert "**all are the same**" in comments.all[-1]["body"]
    assert comments.tokens == {"Bearer of the job"}


@pytest.mark.parametrize("number", [8.5, -1, 0, True, "7/../../x", None, [], 10**30])
def test_a_pull_request_that_is_none_is_not_asked_for(tmp_path: Path, number: object) -> None:
    comments = Comments("a" * 40)
    assert comment(tmp_path / "results", comments, "x", number).returncode == 0
    assert (comments.all, comments.tokens) == ([], set())


def test_a_pull_request_at_another_commit_gets_no_comment(tmp_path: Path) -> None:
    comments = Comments("b" * 40)
    done = comment(tmp_path / "results", comments, "x")
    assert "is at another commit than was measured" in done.stdout
    assert comments.all == []


HOSTILE = (
    "@everyone see [this](https://evil.example/x) ![](https://evil.example/pixel) <img src=x>\n"
    "<!-- assay-gate --> fixes #12, www.evil.example \u202e\x1b[2J\n[a]: https://evil.example\n"
)


def test_a_strangers_words_do_nothing(tmp_path: Path) -> None:
    comments = Comments("a" * 40)
    comment(tmp_path / "results", comments, HOSTILE + "x" * 10 + "\n" * 70_000)
    body = comments.all[0]["body"].removeprefix("<!-- assay-gate -->\n")
    said = body.rpartition("\n\nMeasured by ")[0]
    for word in ("@e", "](", "<", "://", "#1", "www.", "]:", "\x1b", "\u202e"):
        assert word not in said
    assert len(body) < 65_000


def test_a_token_without_the_right_is_told(tmp_path: Path) -> None:
    done = comment(tmp_path / "results", Comments("a" * 40), "x", status=403)
    assert done.returncode == 1
    assert "GitHub answered 403 to GET pulls/7; the job needs `permissions:" in done.stderr
