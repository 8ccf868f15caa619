"""The distance of a hand to each pattern of a rule set."""
