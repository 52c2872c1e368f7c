"""The order of sides in a round and of benchmarks in a pass: random, from a seed.

    schedule = Schedule(seed=7)
    schedule.base_first("BM_copy", 3)
    schedule.shuffled(["BM_copy", "BM_find"], 3)

The order in a round depends only on seed, benchmark and round number. So it is the same whatever
else was measured in between, and a record can be repeated. Because the order is random, a
difference that is not real is as likely to be positive as negative.
"""

import hashlib
import random
from collections.abc import Iterable


class Schedule:
    """The random orders of a session. Each is computed from the seed when it is asked for."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def base_first(self, benchmark: str, round_number: int) -> bool:
        """Whether the base runs before the candidate in this round of this benchmark."""
        return self._random_generator("order", benchmark, round_number).random() < 0.5

    def shuffled(self, benchmarks: Iterable[str], pass_number: int) -> list[str]:
        """The benchmarks in the random order in which this pass over all of them measures them."""
        order = list(benchmarks)
        self._random_generator("pass", "", pass_number).shuffle(order)
        return order

    def placement(self, benchmark: str, round_number: int, links: int) -> int:
        """Which link of each side a round takes: each link once in random order, then all again."""
        block, place = divmod(round_number, links)
        order = list(range(links))
        self._random_generator("placement", benchmark, block).shuffle(order)
        return order[place]

    def _random_generator(self, what: str, benchmark: str, number: int) -> random.Random:
        key = f"{self._seed}\0{what}\0{number}\0{benchmark}".encode()
        return random.Random(hashlib.blake2b(key, digest_size=8).digest())
