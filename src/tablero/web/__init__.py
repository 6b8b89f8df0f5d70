"""The web page: it shows the jobs that the command line writes, answers questions and lets users play puzzles.

The server imports neither NumPy nor Numba and never searches.  Long searches are jobs in processes of their own, which
continue when the server is closed; a few warm worker processes answer short questions.  The module `page` of a family says
what its page shows.
"""
