"""Where workers of a study are started: on this machine, by Slurm, by Ray."""
