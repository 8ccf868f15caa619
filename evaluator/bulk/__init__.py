"""Hands by the million: files of every kind in and out, Arrow, clusters, histograms."""
