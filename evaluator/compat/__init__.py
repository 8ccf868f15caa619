"""Drop-ins for other libraries: their names, arguments and answers, our engine."""
