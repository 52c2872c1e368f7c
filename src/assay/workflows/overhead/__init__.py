"""Measures benchmarks under conditions of the host."""
