"""`assay serve`: local pages over a store of runs."""
