"""Benchmarks: this project and its peers on the same problems, in the same run, on the same machine."""
