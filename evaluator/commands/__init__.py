"""What ``mahjong-eval`` does: one module for each group of commands.

A module has ``add(commands)``, which puts its parsers into the command line and
names the function that runs them. None imports numpy or numba before it runs.
"""
