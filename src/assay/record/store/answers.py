"""Answers of `assay why`, kept beside the runs they explain: one file each, that never changes.

    answers = Answers(Folder.opened(Path(".assay")))
    answers.keep(WhyAnswer(head, explained))
    answers.heads()                         # the newest first
    answers.newest(WhyQuestion("BM_copy", run, run))

A file's name says which runs and which benchmark it is of, and ends with a hash of its content: a
file that was altered is refused. Its first line is all that lists need. Amounts in it are bounded,
for a stranger may have made it, and pages divide by some of them.
"""

import hashlib
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from assay.answers import AnswerHead, WhyAnswer, WhyQuestion
from assay.encoding import json_bytes
from assay.errors import InputError
from assay.explained import Explained
from assay.files import write_all_new
from assay.record.store.folder import Folder
from assay.record.store.run_id import PATTERN
from assay.small_files import KB, MB, open_regular, read_small
from assay.stacks import Stack, Stacks
from assay.typed_json import decoded

LARGEST_ANSWER = 32 * MB  # bytes of an answer's file, at most
_LARGEST_HEAD = 64 * KB  # bytes of an answer's first line, at most
_RUN = PATTERN.pattern
# Name of a stored answer: both runs, a hash of the benchmark's name, a hash of the content.
_NAME = re.compile(rf"(?P<page>{_RUN}_{_RUN}_[0-9a-f]{{16}})-(?P<content>[0-9a-f]{{16}})\.jsonl")
_MOST = 2**62  # every amount in an answer must be below this, as pages compute with it
_Number = Annotated[int, msgspec.Meta(ge=0)]
_WHAT = "an answer of `assay why`"


class _NumberedStacks(msgspec.Struct, frozen=True):
    """Call stacks with a number for each function name, so that each name is written once."""

    names: list[str]
    base: list[tuple[list[_Number], int]]
    candidate: list[tuple[list[_Number], int]]


class _Body(msgspec.Struct, frozen=True):
    """The second line of an answer's file: all but its head.

    A key in JSON must be text, so mappings by stack are kept as lists beside the rest.
    """

    explained: Explained
    work_stacks: _NumberedStacks | None
    time_stacks: _NumberedStacks | None


class Answers:
    """The stored answers of `assay why`: why a benchmark differs between two runs of this store."""

    def __init__(self, folder: Folder) -> None:
        self._store = folder

    def keep(self, answer: WhyAnswer) -> None:
        """Store an answer. Storing an equal answer again changes nothing, as it has the same
        name.

        Raises `InputError` where it is too large or cannot be written.
        """
        data = encode_answer(answer)
        if len(data) > LARGEST_ANSWER:
            what = f"takes {len(data)} bytes; at most {LARGEST_ANSWER} are kept of an answer"
            raise InputError(what, where=answer.head.benchmark)
        name = file_name_of(answer.head.question, data)
        write_all_new({self._store.path_with_folder("answers", name): data})

    def heads(self) -> list[AnswerHead]:
        """The heads of all answers, the newest first; files that cannot be read are left out."""
        read = [_read_head(path) for path in self._store.files_in("answers", ".jsonl")]
        return sorted([one for one in read if one], key=lambda one: -one.answered_s)

    def newest(self, asked: WhyQuestion) -> WhyAnswer | None:
        """The newest answer to a question; None: there is none.

        Raises `InputError` where its file was altered or cannot be read.
        """
        heads = [(head, path) for path in self._files_of(asked) if (head := _read_head(path))]
        newest = max(heads, key=lambda one: one[0].answered_s, default=None)
        return _read(newest[1]) if newest else None

    def forget(self, run: str) -> None:
        """Remove the answers about a run that is deleted; a file that cannot be removed stays."""
        for path in self._store.files_in("answers", ".jsonl"):
            if (found := _NAME.fullmatch(path.name)) and run in found["page"].split("_"):
                with suppress(OSError):  # it is not shown any more, as its run is gone
                    path.unlink()

    def _files_of(self, asked: WhyQuestion) -> list[Path]:
        every = self._store.files_in("answers", ".jsonl")
        return [path for path in every if path.name.startswith(f"{asked.page}-")]


def encode_answer(answer: WhyAnswer) -> bytes:
    """An answer as the bytes of its file: two lines of JSON."""
    return json_bytes(answer.head) + b"\n" + json_bytes(_body_of_answer(answer.explained)) + b"\n"


def file_name_of(asked: WhyQuestion, data: bytes) -> str:
    """The name of the file that holds the answer to a question; `data` is the answer's bytes."""
    return f"{asked.page}-{_hash(data)}.jsonl"


def _read_head(path: Path) -> AnswerHead | None:
    """The head of a stored answer; None: it cannot be read, or is about other runs than its file's
    name says."""
    found = _NAME.fullmatch(path.name)
    try:
        with open_regular(path) as file:
            line = file.readline(_LARGEST_HEAD)
        head = decoded(line, AnswerHead, where=str(path), what=_WHAT)
    except (InputError, OSError):
        return None
    is_sane = bool(found) and math.isfinite(head.answered_s) and abs(head.answered_s) < 1e11
    return head if is_sane and found and found["page"] == head.question.page else None


def _read(path: Path) -> WhyAnswer:
    data = read_small(path, LARGEST_ANSWER)
    if path.stem.rpartition("-")[2] != _hash(data):
        raise InputError("is not as it was kept", where=str(path), hint="remove it, and ask again")
    first, _, rest = data.partition(b"\n")
    head = decoded(first, AnswerHead, where=str(path), what=_WHAT)
    body = decoded(rest, _Body, where=str(path), what=_WHAT)
    if problem := next(_problems_in_value(body), ""):
        raise InputError(f"is not {_WHAT}: {problem}", where=str(path))
    return WhyAnswer(head, _decoded_body(body, str(path)))


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _body_of_answer(one: Explained) -> _Body:
    """The second line of an answer's file, without the profiles that only later stages needed,
    which are large."""
    work, time = one.work, one.time
    return _Body(
        replace(
            one,
            work=replace(work, sides=None, stacks=None) if work else None,
            time=replace(time, stacks=Stacks({}, {})) if time else None,
        ),
        _numbered_stacks(work.stacks) if work and work.stacks else None,
        _numbered_stacks(time.stacks) if time else None,
    )


def _decoded_body(body: _Body, where: str) -> Explained:
    one = body.explained
    try:
        work_stacks = _stacks(body.work_stacks) if body.work_stacks else None
        time_stacks = _stacks(body.time_stacks) if body.time_stacks else Stacks({}, {})
    except IndexError:
        raise InputError(f"is not {_WHAT}: a stack has no such name", where=where) from None
    return replace(
        one,
        work=replace(one.work, sides=None, stacks=work_stacks) if one.work else None,
        time=replace(one.time, stacks=time_stacks) if one.time else None,
    )


def _numbered_stacks(stacks: Stacks) -> _NumberedStacks:
    numbers: dict[str, int] = {}
    sides = [
        [
            ([numbers.setdefault(name, len(numbers)) for name in stack], n)
            for stack, n in one.items()
        ]
        for one in (stacks.base, stacks.candidate)
    ]
    return _NumberedStacks(list(numbers), *sides)


def _stacks(drawn: _NumberedStacks) -> Stacks:
    """The stacks with names for numbers. Raises `IndexError` for a number that no name has."""
    names = drawn.names
    made: list[dict[Stack, int]] = [
        {tuple(names[number] for number in stack): amount for stack, amount in side}
        for side in (drawn.base, drawn.candidate)
    ]
    return Stacks(*made)


def _problems_in_value(value: Any) -> Iterator[str]:
    """What makes an answer unusable: an amount too large for any benchmark, or no iteration to
    divide amounts by."""
    if isinstance(value, bool | str) or value is None:
        return
    if isinstance(value, int | float | Fraction):
        if not _is_bounded(value):
            yield "an amount is too large"
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _problems_in_value(one)
    elif isinstance(value, dict):
        yield from _problems_in_value([*value, *value.values()])
    elif isinstance(value, msgspec.Struct):
        if getattr(value, "iterations", 1) < 1:
            yield "it is of no iteration"
        yield from _problems_in_value(list(msgspec.structs.astuple(value)))


def _is_bounded(value: float | Fraction) -> bool:
    if isinstance(value, Fraction):
        return abs(value.numerator) < _MOST and value.denominator < _MOST
    return abs(value) < _MOST  # False for NaN
