"""Allocations and system calls, each with the function that caused it."""
