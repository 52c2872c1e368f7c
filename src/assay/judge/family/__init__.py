"""All comparisons of one judgement, and the level each has."""
