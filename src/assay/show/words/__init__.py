"""Words and figures: formats, sentences, colours' names."""
