"""Shows verdicts and samples as text, pictures and pages. It computes no statistics."""
