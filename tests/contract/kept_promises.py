"""What a version promised, beside what is there now.

    .venv/bin/python tests/contract/kept_promises.py 1.1     writes tests/contract/promised/1.1

Beside that a project in C++ that is written for it belongs there by hand, as `consumer`: see 1.0.
What was promised is never written anew: a folder that is there is left as it is, unless its
version is not released yet and `--anew` is said. docs/stability.md has the promises in words.
"""

import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROMISED = Path(__file__).parent / "promised"
PAGE = "docs/stability.md"
sys.path[:0] = [str(ROOT / one) for one in ("tests/python", "tests/contract", "tests/support", "")]

from promises import (  # noqa: E402
    command_line,
    continuous_integration,
    headers,
    results,
    stored,
)

Promises = dict[str, str]
SUBJECTS: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "verbs": command_line.verbs,
    "programs": command_line.programs,
    "exit-codes": command_line.exit_codes,
    "assay-toml": command_line.project_keys,
    "continuous-integration": continuous_integration.inputs,
    "documents": results.documents,
    "structures": results.structures,
    "words": results.words,
    "metrics": results.metrics,
    "declarations": headers.declarations,
    "layouts": headers.layouts,
    "symbols": headers.symbols,
    "cmake-package": headers.package,
}


def main(words: list[str]) -> int:
    """Write what is promised from now on; the exit code."""
    version = next((one for one in words if re.fullmatch(r"\d+\.\d+", one)), None)
    if version is None or set(words) - {version, "--anew"}:
        print("kept_promises.py: say a version, such as 1.1", file=sys.stderr)
        return 2
    folder = PROMISED / version
    if any(folder.glob("*.txt")) and not ("--anew" in words and is_unreleased(version)):
        print(f"{folder.relative_to(ROOT)} is there: it is never changed", file=sys.stderr)
        return 2
    for old in ("records", "stores"):
        shutil.rmtree(folder / old, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for subject, now in SUBJECTS.items():
        lines = sorted(f"{name}\t{said}\n" for name, said in now())
        (folder / f"{subject}.txt").write_text("".join(lines))
    stored.write(folder)
    return 0


def is_unreleased(version: str) -> bool:
    """Whether CHANGELOG still calls it so."""
    return f"\n## {version}.0 (unreleased)\n" in (ROOT / "CHANGELOG.md").read_text()


def promised(version: str, subject: str) -> Promises:
    """What that version promised."""
    lines = (PROMISED / version / f"{subject}.txt").read_text().splitlines()
    return dict(line.split("\t") for line in lines)


def broken(then: Mapping[str, str], now: Mapping[str, str], version: str) -> Iterator[str]:
    """A sentence for each promise that is not kept. What was added is none, unless it is required
    of who did without it."""
    rule = (
        f"this was promised in {version}: adding is fine, changing or removing is not; see {PAGE}"
    )
    for name, said in then.items():
        if name not in now:
            yield f"removed: {name} ({said}); {rule}"
        elif not is_kept(said, now[name]):
            yield f"changed: {name}: {said}; now: {now[name]}; {rule}"
    for name in now.keys() - then.keys():
        if now[name].startswith("required"):
            yield f"added, and required: {name} ({now[name]}); {rule}"


def is_kept(said: str, now: str) -> bool:
    """A value that could be of several types may be of fewer; what was required may be left out.
    "null" alone says that no file of then shows the type."""
    if said.startswith("required, ") and now.startswith("may be left out, "):
        return said.partition(", ")[2] == now.partition(", ")[2]
    return said == "null" or set(now.split(" | ")) <= set(said.split(" | "))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
