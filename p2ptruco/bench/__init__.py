"""Measuring, never testing: the benchmarks behind `p2ptruco bench`."""
