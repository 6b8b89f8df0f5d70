"""Running searches: units of work, threads or a cluster, and the books that survive a crash."""
