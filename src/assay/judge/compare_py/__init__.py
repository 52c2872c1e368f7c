"""The numbers of Google Benchmark's compare.py."""
