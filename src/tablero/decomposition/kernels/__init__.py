"""The compiled kernels for decompositions: arrays in, arrays out."""
