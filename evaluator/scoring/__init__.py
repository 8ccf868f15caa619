"""What complete hands are worth, and what a hand that waits would be worth."""
