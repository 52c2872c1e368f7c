"""One side measured after the other: intervals by ranks, widened for drift of the host."""
