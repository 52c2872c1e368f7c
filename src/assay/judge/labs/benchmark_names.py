"""The parts of the benchmark names of Assay's suites: FoundationDB's flowbench has such names.

    parse_name("bench_stream<StreamType::Pipe, Threads::Two>/items:64/size:1/real_time")

gives operation "stream", member "Pipe", conditions ("Threads::Two",) and arguments
(("items", 64.0), ("size", 1.0)). The last argument is the size; words among the arguments
(`/nested/shuffled/1000`) are conditions.
"""

import re

import msgspec

_NAME = re.compile(r"(?:bench_)?(?P<operation>[^<>/]+)<(?P<members>.+)>(?P<rest>(?:/[^<>]*)?)\Z")
_ARGUMENT = re.compile(r"(?:(?P<name>[^:/]+):)?(?P<value>\d+)\Z")
# What Google Benchmark adds to a name: how it was measured, not what.
_HOW = re.compile(r"(?:real|process|manual)_time|(?:repeats|iterations|min(?:_warmup)?_time):.*")


class ParsedName(msgspec.Struct, frozen=True):
    """The parts of a benchmark name: an operation, the member (a type, say) that does it, and how.

    `conditions` are words, `arguments` pairs of a name and a number.
    """

    operation: str
    member: str
    conditions: tuple[str, ...] = ()
    arguments: tuple[tuple[str, float], ...] = ()

    @property
    def family(self) -> tuple[str, str, tuple[str, ...]]:
        """What all sizes of one member have in common: operation, member and conditions."""
        return self.operation, self.member, self.conditions


def parse_name(benchmark: str) -> ParsedName | None:
    """The parts of the name; None for a name of another style."""
    found = _NAME.match(benchmark)
    if found is None:
        return None
    member, *conditions = _split(found["members"])
    arguments: list[tuple[str, float]] = []
    for part in found["rest"].split("/"):
        if not part or _HOW.fullmatch(part):
            continue
        argument = _ARGUMENT.match(part)
        if argument is None:
            conditions.append(part)
        elif argument["name"] == "threads":
            conditions.append(f"{argument['value']} threads")
        else:
            arguments.append((argument["name"] or "", float(argument["value"])))
    short = member.rpartition("::")[2] if "<" not in member else member
    return ParsedName(found["operation"], short, tuple(conditions), tuple(arguments))


def _split(text: str) -> list[str]:
    """The parts of a text between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in "<(") - (char in ">)")
        if char == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]
