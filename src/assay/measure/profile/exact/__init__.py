"""Instructions counted by callgrind: by function, inside the loop."""
