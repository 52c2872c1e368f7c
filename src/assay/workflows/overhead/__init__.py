"""A benchmark under conditions of the host."""
