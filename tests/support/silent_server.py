"""A server that takes connections and never says anything.

with silent_server() as port: ...       # on loopback
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silent_server() -> Iterator[int]:
    """Its port. What connects is kept by the kernel and is never answered."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(16)
        yield int(server.getsockname()[1])
