"""Names for code and data by what they are, and by what everything that they refer to is.

    labels = refined(nodes)
    labels[key]         32 hexadecimal digits

Two parts have the same label when they have the same content, what they refer to, in the same
order, has the same labels, and what refers to them has: found by refining, round by round
(Weisfeiler and Leman, 1968), for code refers to itself in circles. A difference anywhere is in the
label of the part that has it after the first round; the others only tell which part refers to it.

What refers to a part counts as well, for two globals that are zeros when the program starts are
told apart by nothing else: code that reads the one must not be taken for code that reads the other.
"""

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

_ROUNDS = 12  # how far from a part a difference still shows in its label


class Node(NamedTuple):
    """A part's own content, and for each of its references a fixed word or another part."""

    content: bytes
    refers: tuple[tuple[str, Hashable | None], ...] = ()


def refined(nodes: Mapping[Hashable, Node]) -> dict[Hashable, str]:
    """The label of each part."""
    labels = {key: digest(node.content) for key, node in nodes.items()}
    users = _users(nodes)
    kinds = len(set(labels.values()))
    for _ in range(_ROUNDS):
        labels = {key: _next(labels, key, node, users[key]) for key, node in nodes.items()}
        found = len(set(labels.values()))
        if found == kinds:
            break
        kinds = found
    return labels


def _users(nodes: Mapping[Hashable, Node]) -> dict[Hashable, list[tuple[str, Hashable]]]:
    """For each part the others that refer to it, each with which of its references that is."""
    found: dict[Hashable, list[tuple[str, Hashable]]] = {key: [] for key in nodes}
    for key, node in nodes.items():
        for index, (word, other) in enumerate(node.refers):
            if other is not None:
                found[other].append((f"{index} {word}", key))
    return found


def _next(
    labels: Mapping[Hashable, str],
    key: Hashable,
    node: Node,
    users: Sequence[tuple[str, Hashable]],
) -> str:
    words = [labels[key]]
    for word, other in node.refers:
        words.append(word if other is None else f"{word} {labels[other]}")
    words += sorted(f"from {word} {labels[other]}" for word, other in users)
    return digest("\0".join(words).encode(errors="surrogateescape"))


def digest(content: bytes) -> str:
    """Of bytes, as text. Long enough that no two parts share one by chance."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()
