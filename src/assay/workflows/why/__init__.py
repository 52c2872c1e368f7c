"""`assay why`: which function does more, or takes longer, than before."""
