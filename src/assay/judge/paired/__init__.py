"""Interleaved rounds: an interval for the centre of their log ratios, valid at every look."""
