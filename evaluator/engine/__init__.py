"""How kernels are compiled, fed with tables and spread over threads. Knows no rule."""
