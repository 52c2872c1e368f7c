"""Two members of a group, told apart by a filter for each: whole words of names are replaced.

    words_matched(names, names, Filters(base="shared", candidate="intrusive"))

pairs `bench_ref_copy<RefType::SharedPointer>` with the same of `IntrusiveThreadSafe`, and
calls both `bench_ref_copy<RefType::[SharedPointer vs. IntrusiveThreadSafe]>`. A filter in
small letters matches capitals as well. One that fits several members makes a pair of each.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

Names = dict[str, str]  # the name in common -> a side's own
_WORD = re.compile(r"\w")
_Find = Callable[[str], "re.Match[str] | None"]


def words_matched(
    base: Sequence[str], candidate: Sequence[str], finders: tuple[_Find, _Find]
) -> tuple[Names, Names]:
    """What can be paired: the names in common, with each side's own."""
    ours, theirs = _by_family(base, finders[0]), _by_family(candidate, finders[1])
    made: tuple[Names, Names] = ({}, {})
    for family, words in ours.items():
        for word, name in words.items():
            for other, its_name in theirs.get(family, {}).items():
                if word == other:
                    continue
                shared = f"{family[0]}[{word} vs. {other}]{family[1]}"
                made[0][shared], made[1][shared] = name, its_name
    return made


def finder(pattern: "re.Pattern[str]") -> _Find:
    """Searches with the pattern; capitals count only if it has some of its own."""
    if pattern.pattern != pattern.pattern.lower():
        return pattern.search
    return re.compile(pattern.pattern, pattern.flags | re.IGNORECASE).search


def _by_family(names: Iterable[str], find: _Find) -> Mapping[tuple[str, str], dict[str, str]]:
    """What stands around the word the filter matches -> the words there, with their names."""
    families: dict[tuple[str, str], dict[str, str]] = {}
    for name in names:
        found = find(name)
        if found is None or found.start() == found.end():
            continue
        start, end = found.span()
        while start > 0 and _WORD.match(name[start - 1]):
            start -= 1
        while end < len(name) and _WORD.match(name[end]):
            end += 1
        families.setdefault((name[:start], name[end:]), {})[name[start:end]] = name
    return families
