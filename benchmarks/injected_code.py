"""Code bases with slowdowns that are injected by script, and their executables.

    code = code_bases(folder)[0]
    bench = Builder(cache, "g++", "-O2 -g").build(code, code.injections[0].name)

One of ours is a C++ file with its injections as comments: "//+NAME code" is put into effect, a
line that ends in "//-NAME" is left out, and "//@ NAME | KIND | FUNCTION | HOW" says which function
then is the reason, and whether it is inlined. Somebody else's is a folder with such a list,
NAME.injections:

    sources: bench.cpp lib/*.c              in the folder
    flags: -Ilib                            besides those that are asked for
    //@ NAME | KIND | FUNCTION | HOW
    --- lib/file.c                          then lines that stand there once, in a row,
        old line
    +++                                     and those that take their place
        new line
"""

import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

CPP_STANDARD = "-std=c++20"
_SUFFIXES = (".cpp", ".cc", ".c", ".h", ".hpp", ".hh", ".inc")


@dataclass(frozen=True)
class Injection:
    """One slowdown, and the function that it is in."""

    name: str
    kind: str
    function: str
    how: str = ""  # "inlined", or "" for a function of its own


@dataclass
class CodeBase:
    """`edits`: by injection, the files in which one text is replaced by another; none of ours."""

    name: str
    root: Path
    sources: list[str]
    flags: list[str] = field(default_factory=list)
    injections: list[Injection] = field(default_factory=list)
    edits: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)

    def changed(self, name: str) -> dict[str, str]:
        """Texts of the files that this injection changes."""
        if not self.edits:
            return {one: injected((self.root / one).read_text(), name) for one in self.sources}
        found: dict[str, str] = {}
        for path, old, new in self.edits.get(name, []):
            text = found.get(path) or (self.root / path).read_text()
            if text.count(old) != 1:
                raise SystemExit(f"{name}: {path} has {text.count(old)} times:\n{old}")
            found[path] = text.replace(old, new)
        return found


def code_bases(folder: Path) -> list[CodeBase]:
    """All in this folder."""
    ours = [_commented(path) for path in sorted(folder.glob("*.cpp"))]
    return ours + [_listed(path) for path in sorted(folder.glob("*/*.injections"))]


def injected(text: str, name: str) -> str:
    """The source with this injection in effect; of an empty name: as it is."""
    lines = []
    for line in text.splitlines():
        put = re.match(rf"(\s*)//\+{re.escape(name)} (.*)", line) if name else None
        if put:
            lines.append(put[1] + put[2])
        elif not (name and re.search(rf"//-{re.escape(name)}$", line)):
            lines.append(line)
    return "\n".join(lines) + "\n"


def _commented(path: Path) -> CodeBase:
    code = CodeBase(path.stem, path.parent, [path.name])
    for line in path.read_text().splitlines():
        if line.startswith("//@ "):
            code.injections.append(_injection(line))
    return code


def _injection(line: str) -> Injection:
    return Injection(*(part.strip() for part in line.removeprefix("//@ ").split("|")))


def _listed(path: Path) -> CodeBase:
    head, *blocks = re.split(r"(?m)^(?=//@ )", path.read_text())
    said = dict(re.findall(r"(?m)^(sources|flags): (.*)$", head))
    found = {
        str(one.relative_to(path.parent))
        for pattern in said["sources"].split()
        for one in path.parent.glob(pattern)
    }
    code = CodeBase(path.stem, path.parent, sorted(found), said.get("flags", "").split())
    for block in blocks:
        first, _, rest = block.partition("\n")
        code.injections.append(_injection(first))
        code.edits[code.injections[-1].name] = [
            (edit[0].strip(), edit[1], edit[2])
            for edit in re.findall(r"(?ms)^--- (.*?)\n(.*?)^\+\+\+\n(.*?)(?=^--- |\Z)", rest)
        ]
    return code


@dataclass(frozen=True)
class Builder:
    """Builds into folders of its own, and what did not change only once."""

    folder: Path
    cxx: str
    flags: str

    def build(self, code: CodeBase, name: str, *, again: str = "") -> Path:
        """The executable with this injection; `again`: another build of the same elsewhere."""
        changed = code.changed(name)
        place = self.folder / self._key() / f"{code.name}-{name or 'base'}{again}"
        if (place / "bench").exists() and _same(place, changed):
            return place / "bench"
        base = None if again or not name else self.build(code, "").parent
        shutil.rmtree(place, ignore_errors=True)
        _copied(code.root, place, changed)
        objects = [self._object(code, one, place, base, changed, again) for one in code.sources]
        if again:
            objects.reverse()
        self._link(objects, place)
        return place / "bench"

    def _key(self) -> str:
        return hashlib.sha256(f"{self.cxx} {self.flags}".encode()).hexdigest()[:8]

    def _object(
        self,
        code: CodeBase,
        source: str,
        place: Path,
        base: Path | None,
        changed: dict[str, str],
        again: str,
    ) -> str:
        made = source.replace("/", "_") + ".o"
        depends = base / f"{made}.d" if base else None
        if base and depends and not set(depends.read_text().split()) & set(changed):
            os.link(base / made, place / made)
            return made
        seed = [f"-frandom-seed={again}"] if again else []
        words = [*self._compiler(source), *code.flags, *self.flags.split(), *seed]
        words += ["-MMD", "-MF", f"{made}.d", "-c", source, "-o", made]
        subprocess.run(words, cwd=place, check=True)
        return made

    def _compiler(self, source: str) -> list[str]:
        if source.endswith(".c"):
            return ["gcc" if self.cxx == "g++" else self.cxx.replace("++", "")]
        return [self.cxx, CPP_STANDARD]

    def _link(self, objects: list[str], place: Path) -> None:
        words = [self.cxx, *self.flags.split(), *objects, "-o", "bench"]
        subprocess.run([*words, "-lbenchmark", "-lpthread"], cwd=place, check=True)


def _copied(root: Path, place: Path, changed: dict[str, str]) -> None:
    for path in root.rglob("*"):
        inside = str(path.relative_to(root))
        if path.suffix in _SUFFIXES and path.is_file():
            (place / inside).parent.mkdir(parents=True, exist_ok=True)
            (place / inside).write_text(changed.get(inside) or path.read_text())


def _same(place: Path, changed: dict[str, str]) -> bool:
    return all((place / path).read_text() == text for path, text in changed.items())
