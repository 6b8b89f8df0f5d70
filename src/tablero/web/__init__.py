"""The web page: a window on the same jobs that the command line writes, and a table to play at.

The server imports neither NumPy nor Numba and never searches.  Searches are jobs, processes of their own that outlive it;
what must answer at once goes to a few warm processes.  What a family shows is in its room, in `page`.
"""
