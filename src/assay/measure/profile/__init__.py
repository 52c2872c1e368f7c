"""Tools that look inside a program, to say why it takes as long as it does."""
