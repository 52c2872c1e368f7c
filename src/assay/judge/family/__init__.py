"""All comparisons of one judgement, and the chance of a false alarm that each may have."""
