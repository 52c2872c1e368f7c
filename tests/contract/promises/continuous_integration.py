"""What the action, its comment and the template for GitLab promise to who uses them."""

from collections.abc import Iterator
from typing import Any

from conftest import ROOT
from ruamel.yaml import YAML

Promise = tuple[str, str]


def inputs() -> Iterator[Promise]:
    """Inputs with their defaults, outputs, and the job and variables of the template."""
    for name in ("action.yml", "comment/action.yml"):
        read = _read(name)
        for key, one in read.get("inputs", {}).items():
            needed = "required" if one.get("required") else f"left out: {one.get('default', '')!r}"
            yield f"{name} input {key}", needed
        for key in read.get("outputs", {}):
            yield f"{name} output {key}", "given"
    name = "templates/assay-gate.gitlab-ci.yml"
    for job, content in _read(name).items():
        yield f"{name} job {job}", "there"
        for key, value in content["variables"].items():
            yield f"{name} variable {key}", str(value)


def _read(name: str) -> dict[str, Any]:
    return YAML(typ="safe", pure=True).load((ROOT / name).read_text())  # type: ignore[no-any-return]
