"""Dask's scheduler and worker without their HTTP server, which would listen on another port.

Dask always serves HTTP, even with its dashboard off.  As a program, this module is `dask scheduler` without HTTP; a worker
gets its class by name.
"""

from __future__ import annotations

import distributed


class _NoPages:
    def start_http_server(self, *_: object, **__: object) -> None:
        """Do not listen."""


# A worker's process imports its class by name, so the classes belong to this module.
Scheduler = type("Scheduler", (_NoPages, distributed.Scheduler), {"__module__": __name__})
Worker = type("Worker", (_NoPages, distributed.Worker), {"__module__": __name__})

if __name__ == "__main__":
    from distributed.cli import dask_scheduler

    dask_scheduler.Scheduler = Scheduler
    dask_scheduler.main()
