"""The documents as a site that needs no server and asks nothing of others.

    ./dev site          writes build/site/index.html, with search

The sources are the documents as they stand in this repository, so that every link between them, and
to a file of the repository, works on a forge and on the site alike: a page that is linked to
becomes a page, any other file is copied. The front page's contents are those of docs/README.md,
and a document that is missing there is an error, as is a link to nowhere.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONTENTS = "docs/README.md"
DECISIONS = "docs/decisions/"
BESIDE = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")

_HEADING = re.compile(r"^## ([^:\n]+)", re.MULTILINE)
_ANY_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<to>[^)#\s:]+)(?:#[^)]*)?\)")
_PAGE_LINK = re.compile(r"\]\(([^)#\s:]+\.md)(?:#[^)]*)?\)")


def main() -> int:
    """Write the site; the exit code."""
    output = ROOT / "build" / "site"
    code = build(ROOT / "build" / "site-sources", output)
    if code == 0:
        print(f"site: {output / 'index.html'}")
    return code


def build(sources: Path, output: Path) -> int:
    """Write it, and end with Sphinx's exit code: a warning is an error."""
    lay_sources(sources)
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    command += ["-c", str(ROOT / "tools" / "site"), str(sources), str(output)]
    return subprocess.run(command, check=False).returncode


def lay_sources(folder: Path) -> None:
    """A copy of every tracked file, and the front page."""
    shutil.rmtree(folder, ignore_errors=True)
    sections = contents()
    pages = {page for listed in sections.values() for page in listed}
    for name in tracked():
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if copy.suffix == ".md":
            text = (ROOT / name).read_text()
            copy.write_text(without_links_to_no_page(text, ROOT / name, pages))
        else:
            shutil.copy(ROOT / name, copy)
    front = (ROOT / "tools" / "site" / "front.md").read_text()
    (folder / "index.md").write_text(front + "".join(_toctree(*one) for one in sections.items()))


def tracked() -> list[str]:
    """Names of the files of the repository, also of those that are not committed yet."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in found.split("\0") if name and (ROOT / name).is_file()]


def without_links_to_no_page(text: str, path: Path, pages: set[str]) -> str:
    """A forge shows folders and all Markdown; the site does not, and leaves their names as text."""

    def shown(link: re.Match[str]) -> str:
        to = (path.parent / link["to"]).resolve()
        is_lost = to.is_dir() or (to.suffix == ".md" and _name(to) not in pages)
        return link["text"] if is_lost else link[0]

    return _ANY_LINK.sub(shown, text)


def documents() -> Iterator[Path]:
    """Every page below docs/."""
    yield from sorted((ROOT / "docs").rglob("*.md"))


def contents() -> dict[str, list[str]]:
    """The pages of each section of docs/README.md, in its order, each once."""
    found: dict[str, list[str]] = {}
    seen = {CONTENTS, *BESIDE}
    _, *parts = _HEADING.split((ROOT / CONTENTS).read_text())
    for title, part in zip(parts[::2], parts[1::2], strict=True):
        for page in _linked(part, ROOT / CONTENTS):
            if page not in seen:
                seen.add(page)
                section = "Decisions" if page.startswith(DECISIONS) else title
                found.setdefault(section, []).append(page)
    return found | {"The project": [CONTENTS, *BESIDE]}


def _linked(text: str, path: Path) -> Iterator[str]:
    """Pages that are linked to, and after a README those that it lists itself."""
    for link in _PAGE_LINK.findall(text):
        page = (path.parent / link).resolve()
        yield _name(page)
        if page.name == "README.md" and path.name == "README.md" and page.parent != path.parent:
            yield from (one for one in _linked(page.read_text(), page) if _is_below(one, page))


def _is_below(name: str, page: Path) -> bool:
    return (ROOT / name).parent == page.parent


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""


def _toctree(title: str, pages: list[str]) -> str:
    return "\n".join(("", "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""))


if __name__ == "__main__":
    sys.exit(main())
