"""Record: keep samples and the facts around them, forever, unaltered."""
