"""The history of benchmarks: trends, changes, and measuring changes again."""
