"""Records how an executable is linked, so that it can be linked again; the drivers run it.

python -I -S link_recorder.py FOLDER COMPILER WORD...

Each link gets a folder below FOLDER, with `link.json` (read by `relink_recorded`). Its objects are
hard-linked there, because rustc removes its objects after linking, and ninja its response files.
Only the standard library is imported: it runs in any environment, for every link of a build, and
takes a few hundredths of a second.
"""

import json
import os
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

# Words of a linker's command line that makes no program but a library or an object.
_NO_PROGRAM = {"-shared", "-r", "-Wl,-r", "-Wl,-shared", "-Wl,--relocatable"}


def main(folder: str, compiler: str, words: Sequence[str]) -> None:
    """Record one link, unless it makes no program (a library or a relocatable object)."""
    expanded = list(_expanded_words(words))
    if _NO_PROGRAM.intersection(expanded):
        return
    record = Path(folder, f"{time.time_ns()}-{os.getpid()}")
    record.mkdir(parents=True)
    kept = [_lasting_word(word, record / f"{number}.o") for number, word in enumerate(expanded)]
    link = {
        "compiler": compiler,
        "folder": str(Path.cwd()),
        "words": kept,
        "output": str(Path(_output(expanded)).absolute()),
    }
    (record / "link.json").write_text(json.dumps(link))


def _expanded_words(words: Sequence[str]) -> Iterator[str]:
    """The words of a link, with each response file (`@file`) replaced by the words in it."""
    for word in words:
        if word.startswith("@") and Path(word[1:]).is_file():
            yield from _expanded_words(shlex.split(Path(word[1:]).read_text()))
        else:
            yield word


def _lasting_word(word: str, name: Path) -> str:
    """A word of a link; for an object file, the path of a copy that stays."""
    if not word.endswith(".o") or not Path(word).is_file():
        return word
    try:
        os.link(word, name)
    except OSError:  # the copy would be on another file system
        shutil.copyfile(word, name)
    return str(name)


def _output(words: Sequence[str]) -> str:
    """The file that a link writes, from the words of its command line."""
    found = "a.out"
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "-o":
            found = following
        elif word.startswith("-o") and len(word) > 2:
            found = word[2:]
    return found


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
