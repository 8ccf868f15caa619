"""The shape of a hand: is it a win, how far is it, what does it wait for, what to discard."""
