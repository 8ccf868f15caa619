"""The environment of processes in which nobody measures which lines run: what measures writes
files of its own, and may catch an interruption."""

import os

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
