"""assay why: which function does more than before."""
