"""Exact work by function: what callgrind counts."""
