"""Hands in Arrow columns: text, counts, the parts of a hand; and what is wrong with each row."""
