"""Scores of Guobiao: the 81 fan."""
