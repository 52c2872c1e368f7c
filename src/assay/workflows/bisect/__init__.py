"""`assay bisect`: finds the commit that made a benchmark slower."""
