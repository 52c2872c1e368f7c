"""The commit that made a benchmark slower."""
