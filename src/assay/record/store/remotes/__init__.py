"""Where a history is shared: each kind of place in a file of its own, behind `remote.Remote`."""
