"""Running searches: units of work, threads or a cluster, and the store that survives a crash."""
