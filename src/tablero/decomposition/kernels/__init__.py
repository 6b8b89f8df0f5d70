"""The compiled kernels of this family: arrays in, arrays out."""
