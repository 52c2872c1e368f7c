"""Posts what a gate found at its pull request, once; a later run replaces what it says.

The results come from a run that a fork may have written to its liking, and this script has a
token that may write. So the pull request is the one whose newest commit GitHub itself says was
measured, and the text can mention nobody, link nowhere, load nothing and hide nothing.

Reads RESULTS (gate.md, pull-request.json), GITHUB_EVENT_PATH (of a `workflow_run`),
GITHUB_API_URL, GITHUB_REPOSITORY and GITHUB_TOKEN. Needs Python 3.8 and nothing else.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

MARK = "<!-- assay-gate -->"
LONGEST = 60_000  # letters; GitHub refuses more than 65,536
PAGES = 50  # of a hundred comments each


def main() -> int:
    run = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text())["workflow_run"]
    results = Path(os.environ["RESULTS"])
    number = pull_request(results)
    if number is None:
        print("these results are of no pull request: nothing to comment")
        return 0
    found = asked("GET", f"pulls/{number}")
    if found["head"]["sha"] != run["head_sha"]:
        print(f"pull request {number} is at another commit than was measured: no comment")
        return 0
    body = {"body": text(results / "gate.md", run["head_sha"], run["html_url"])}
    before = ours(number)
    if before is None:
        asked("POST", f"issues/{number}/comments", body)
    else:
        asked("PATCH", f"issues/comments/{before}", body)
    print(f"{'updated the' if before else 'made a'} comment at pull request {number}")
    return 0


def pull_request(results: Path) -> int | None:
    """Its number as the artifact has it, which is checked later; None: it has none."""
    try:
        with (results / "pull-request.json").open("rb") as file:
            number = json.loads(file.read(1000))["number"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    is_number = isinstance(number, int) and not isinstance(number, bool)
    return number if is_number and 0 < number < 10**9 else None


def text(path: Path, commit: str, url: str) -> str:
    """The comment: a stranger's words as words, and where they were measured."""
    try:
        with path.open("rb") as file:
            said = file.read(4 * LONGEST).decode(errors="replace")
    except OSError:
        said = "the run kept no result"
    said = "".join(letter for letter in said if letter.isprintable() or letter == "\n")
    for command, words in DISARMED:
        said = said.replace(command, words)
    if len(said) > LONGEST:
        said = said[:LONGEST].rpartition("\n")[0] + "\n\n(cut: the job's summary has all of it)"
    return f"{MARK}\n{said}\n\nMeasured by [this run]({url}) of {commit[:10]}.\n"


# A mention, HTML, a link or picture, a bare address, a reference to an issue.
DISARMED = (
    ("@", "@\u200b"),
    ("&", "&amp;"),
    ("<", "&lt;"),
    ("](", "] ("),
    ("][", "] ["),
    ("]:", "] :"),
    ("://", ":\u200b//"),
    ("www.", "www\u200b."),
    ("#", "#\u200b"),
)


def ours(number: int) -> int | None:
    """The comment that an earlier run made; None: there is none."""
    for page in range(1, PAGES + 1):
        comments = asked("GET", f"issues/{number}/comments?per_page=100&page={page}")
        for one in comments:
            if one["user"]["type"] == "Bot" and (one["body"] or "").startswith(MARK):
                return int(one["id"])
        if len(comments) < 100:
            return None
    return None


def asked(method: str, path: str, body: object = None) -> Any:
    """What GitHub answers. Ends the program with its word where it refuses."""
    base = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}"
    request = urllib.request.Request(
        f"{base}/{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as error:
        hint = "; the job needs `permissions: pull-requests: write`" if error.code == 403 else ""
        sys.exit(f"::error::GitHub answered {error.code} to {method} {path}{hint}")


if __name__ == "__main__":
    sys.exit(main())
