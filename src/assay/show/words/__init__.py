"""Words and numbers for all media: formats, sentences, names of colours."""
