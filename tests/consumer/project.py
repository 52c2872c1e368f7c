"""A CMake project under test: configured, built and tested as its user would."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from patience import PATIENCE_S

SHORT = {"BENCHMARK_MIN_TIME": "0.01"}  # Google Benchmark's own variable: a bare number in 1.7


@dataclass(frozen=True)
class Said:
    """Exit code and everything printed, its lines joined: CMake folds its messages."""

    code: int
    text: str

    def holds(self, words: str) -> bool:
        return words in " ".join(self.text.split())


@dataclass(frozen=True)
class Project:
    """A source folder and a build tree of it."""

    source: Path
    tree: Path

    def configure(self, *options: str, build_type: str = "Release", **env: str) -> Said:
        launcher = shutil.which("ccache")
        cached = [f"-DCMAKE_{one}_COMPILER_LAUNCHER={launcher}" for one in ("C", "CXX")]
        return run(
            *("cmake", "-S", str(self.source), "-B", str(self.tree), "-G", "Ninja"),
            *(f"-DCMAKE_BUILD_TYPE={build_type}", *(cached if launcher else ()), *options),
            **env,
        )

    def build(self, *targets: str, **env: str) -> Said:
        """ccache takes paths below the tree as relative: each run of the tests has another tree."""
        wanted = ("--target", *targets) if targets else ()
        variables = {**SHORT, "CCACHE_BASEDIR": str(self.tree), **env}
        return run("cmake", "--build", str(self.tree), "-j2", *wanted, **variables)

    def ctest(self, *options: str, **env: str) -> Said:
        return run("ctest", "--test-dir", str(self.tree), *options, **{**SHORT, **env})

    def listed(self) -> set[str]:
        """Names of the tests that ctest sees."""
        return set(self.properties())

    def properties(self) -> dict[str, dict[str, Any]]:
        """Of each test that ctest sees."""
        answer = json.loads(self.ctest("--show-only=json-v1").text)
        return {
            test["name"]: {one["name"]: one["value"] for one in test.get("properties", [])}
            for test in answer["tests"]
        }

    def script(self, name: str) -> list[str]:
        return ["cmake", "-P", str(self.tree / "CMakeFiles" / "assay" / f"{name}.cmake")]

    def results(self, name: str) -> Path:
        return self.tree / "performance-output" / f"{name}.json"

    def rows(self, name: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(self.results(name).read_text())["benchmarks"]
        return rows


def run(*command: str, **env: str) -> Said:
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, **env},
        check=False,
    )
    return Said(done.returncode, done.stdout)


def must(said: Said) -> Said:
    """What a fixture needs to have worked."""
    if said.code != 0:
        pytest.fail(said.text)
    return said


@dataclass(frozen=True)
class Case:
    """One test as ctest reported it."""

    status: str  # run, fail, disabled
    output: str


def reported(junit: Path) -> dict[str, Case]:
    """Every test of a `ctest --output-junit` file."""
    cases = ET.parse(junit).getroot().iter("testcase")
    return {
        case.attrib["name"]: Case(
            case.attrib["status"], " ".join((case.findtext("system-out") or "").split())
        )
        for case in cases
    }
