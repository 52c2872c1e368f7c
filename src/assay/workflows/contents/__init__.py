"""Makes the content of pages from results."""
