"""A server that accepts connections and never answers.

with silent_server() as port: ...       # on loopback
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silent_server() -> Iterator[int]:
    """The port it listens on. The kernel accepts connections, which nobody ever answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(16)
        yield int(server.getsockname()[1])
