"""Places where a history is shared: a module for each kind, all with the methods of `Remote`."""
