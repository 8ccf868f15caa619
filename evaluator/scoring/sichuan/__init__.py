"""Scores of rule sets made of patterns: the Sichuan family and Dandong."""
