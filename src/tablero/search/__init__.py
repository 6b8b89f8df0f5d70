"""Compiled kernels and the searches that drive them: arrays in, arrays out."""
