"""What all searches share: cursors, drivers, random numbers and the compilation of kernels."""
