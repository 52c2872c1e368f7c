"""One side measured after the other: ranks, and room for drift between them."""
