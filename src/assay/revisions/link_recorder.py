"""Keeps how an executable was linked, so that it can be linked again; run by the drivers.

python -I -S link_recorder.py FOLDER COMPILER WORD...

Below FOLDER a folder is made for each link, with `link.json` (of `relink`). Objects are linked
into it by hard links: rustc removes those that it made when the linker is done, and ninja its
response files. No import of anything but the standard library: it runs with whatever there is,
for each link of a build, and takes a few hundredths of a second.
"""

import json
import os
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

_NO_PROGRAM = {"-shared", "-r", "-Wl,-r", "-Wl,-shared", "-Wl,--relocatable"}


def main(folder: str, compiler: str, words: Sequence[str]) -> None:
    """Nothing is kept of a link that makes no program."""
    expanded = list(_expanded(words))
    if _NO_PROGRAM.intersection(expanded):
        return
    record = Path(folder, f"{time.time_ns()}-{os.getpid()}")
    record.mkdir(parents=True)
    kept = [_kept(word, record / f"{number}.o") for number, word in enumerate(expanded)]
    link = {
        "compiler": compiler,
        "folder": str(Path.cwd()),
        "words": kept,
        "output": str(Path(_output(expanded)).absolute()),
    }
    (record / "link.json").write_text(json.dumps(link))


def _expanded(words: Sequence[str]) -> Iterator[str]:
    """With the words of response files in place of them."""
    for word in words:
        if word.startswith("@") and Path(word[1:]).is_file():
            yield from _expanded(shlex.split(Path(word[1:]).read_text()))
        else:
            yield word


def _kept(word: str, name: Path) -> str:
    """The word; of an object that there is, one that stays."""
    if not word.endswith(".o") or not Path(word).is_file():
        return word
    try:
        os.link(word, name)
    except OSError:  # on another disk
        shutil.copyfile(word, name)
    return str(name)


def _output(words: Sequence[str]) -> str:
    found = "a.out"
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "-o":
            found = following
        elif word.startswith("-o") and len(word) > 2:
            found = word[2:]
    return found


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
