"""Instructions counted by callgrind, by function, for each loop of a benchmark."""
