"""Which commit made a benchmark slower: a Bayesian search over a history (decision 34)."""
