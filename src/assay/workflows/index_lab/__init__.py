"""The index lab: sweeps over indexes and stores behind plug-ins."""
