"""Pairs two members of a group by a filter for each, replacing whole words of their names.

    pairs_by_words(names, names, (finder(re.compile("shared")), finder(re.compile("intrusive"))))

pairs `bench_ref_copy<RefType::SharedPointer>` with the one of `IntrusiveThreadSafe`, and calls both
`bench_ref_copy<RefType::[SharedPointer vs. IntrusiveThreadSafe]>`. A filter in lower case ignores
case. A filter that matches several members makes a pair with each of them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

Names = dict[str, str]  # a pair's name in the comparison -> the benchmark's own name on one side
_WORD = re.compile(r"\w")
_Find = Callable[[str], "re.Match[str] | None"]


def pairs_by_words(
    base: Sequence[str], candidate: Sequence[str], finders: tuple[_Find, _Find]
) -> tuple[Names, Names]:
    """For base and for candidate: each pair's name in the comparison, with
    the benchmark's own name.
    """
    ours, theirs = _names_by_group(base, finders[0]), _names_by_group(candidate, finders[1])
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
    """A search with the pattern; it ignores case if the pattern is all in lower case."""
    if pattern.pattern != pattern.pattern.lower():
        return pattern.search
    return re.compile(pattern.pattern, pattern.flags | re.IGNORECASE).search


def _names_by_group(names: Iterable[str], find: _Find) -> Mapping[tuple[str, str], dict[str, str]]:
    """Groups of names that differ only in the word that the filter matched.

    The key is the text before and after the word; each group maps the word to the whole name.
    """
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
