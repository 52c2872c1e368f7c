"""Labels for code and data by their content, and by that of everything they are connected with.

    labels = refined_labels(nodes)
    labels[key]         32 hexadecimal digits

Two parts get the same label if their content is the same, if what they refer to, in the same order,
has the same labels, and if what refers to them has. Since code refers to itself in circles, labels
are refined round by round (Weisfeiler and Leman, 1968). A difference shows in the label of its own
part after the first round; each later round carries it one reference further.

What refers to a part counts too, because nothing else tells apart two globals that are both zero
when the program starts: code that reads one must not be taken for code that reads the other.
"""

import hashlib
from collections.abc import Hashable, Mapping, Sequence

import msgspec

_ROUNDS = 12  # rounds of refining at most: a difference spreads one reference further in each


class LabelledPart(msgspec.Struct, frozen=True):
    """A part of code or data to be labelled: its content, and what it refers to.

    Each reference is a word that describes it, and the key of the part it leads to (None: no part).
    """

    content: bytes
    refers: tuple[tuple[str, Hashable | None], ...] = ()


def refined_labels(nodes: Mapping[Hashable, LabelledPart]) -> dict[Hashable, str]:
    """A label for each part of code and data: equal for parts that are alike in themselves and in
    their connections."""
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


def _users(nodes: Mapping[Hashable, LabelledPart]) -> dict[Hashable, list[tuple[str, Hashable]]]:
    """For each part, the parts that refer to it, each with the position and word of the
    reference."""
    found: dict[Hashable, list[tuple[str, Hashable]]] = {key: [] for key in nodes}
    for key, node in nodes.items():
        for index, (word, other) in enumerate(node.refers):
            if other is not None:
                found[other].append((f"{index} {word}", key))
    return found


def _next(
    labels: Mapping[Hashable, str],
    key: Hashable,
    node: LabelledPart,
    users: Sequence[tuple[str, Hashable]],
) -> str:
    """A part's label after one more round: a hash of its label and those of all parts it is
    connected with."""
    words = [labels[key]]
    for word, other in node.refers:
        words.append(word if other is None else f"{word} {labels[other]}")
    words += sorted(f"from {word} {labels[other]}" for word, other in users)
    return digest("\0".join(words).encode(errors="surrogateescape"))


def digest(content: bytes) -> str:
    """A hash as text, long enough that different contents never share one by chance."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()
