"""The strongly connected components of a call graph; callees come before their callers.

list(components({"a": ["b"], "b": ["a"]}))      [["a", "b"]], in some order within
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

Vertex = TypeVar("Vertex", bound=Hashable)


def components(graph: Mapping[Vertex, Iterable[Vertex]]) -> list[list[Vertex]]:
    """Groups of vertices that lead to each other; any other vertex is a group of its own.

    A group comes after all those that it leads to. Tarjan's algorithm (1972), without recursion,
    because call graphs are deeper than Python's stack.
    """
    walk = _Walk(graph)
    for vertex in graph:
        if vertex not in walk.index:
            walk.from_vertex(vertex)
    return walk.found


class _Walk(Generic[Vertex]):
    """A depth-first walk. `index`: the order in which a vertex was reached; `low`: the lowest index
    of those that it leads back to."""

    def __init__(self, graph: Mapping[Vertex, Iterable[Vertex]]) -> None:
        self.graph = graph
        self.index: dict[Vertex, int] = {}
        self.low: dict[Vertex, int] = {}
        self.open: dict[Vertex, None] = {}
        self.found: list[list[Vertex]] = []

    def from_vertex(self, start: Vertex) -> None:
        path: list[tuple[Vertex, Iterator[Vertex]]] = [self._enter(start)]
        while path:
            vertex, following = path[-1]
            for other in following:
                if other not in self.index:
                    path.append(self._enter(other))
                    break
                if other in self.open:
                    self.low[vertex] = min(self.low[vertex], self.index[other])
            else:
                path.pop()
                self._leave(vertex, path[-1][0] if path else None)

    def _enter(self, vertex: Vertex) -> tuple[Vertex, Iterator[Vertex]]:
        self.index[vertex] = self.low[vertex] = len(self.index)
        self.open[vertex] = None
        return vertex, iter(self.graph.get(vertex, ()))

    def _leave(self, vertex: Vertex, parent: Vertex | None) -> None:
        if parent is not None:
            self.low[parent] = min(self.low[parent], self.low[vertex])
        if self.low[vertex] != self.index[vertex]:
            return
        members = []
        while True:
            member, _ = self.open.popitem()
            members.append(member)
            if member == vertex:
                break
        self.found.append(members)
