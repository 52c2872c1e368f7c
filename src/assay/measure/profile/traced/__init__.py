"""Allocations and system calls, each with who asked for it."""
