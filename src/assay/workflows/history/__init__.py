"""The history of benchmarks: trends, changes, and their confirmation."""
