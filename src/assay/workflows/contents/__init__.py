"""Results, put into the content of pages."""
