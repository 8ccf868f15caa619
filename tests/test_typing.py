"""What type checkers make of the package: a user's program passes, wrong lines are found."""

from __future__ import annotations

import ast
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import evaluator as ev

ROOT = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "typing"
USER, WRONG = FOLDER / "user.py", FOLDER / "wrong.py"
QUERIES = [
    "is_win", "shanten", "waits", "discards", "decompose", "score", "wait_scores",
    "ready_max_fan", "pattern_shanten",
]  # fmt: skip


def run(*command: object, cwd: Path = ROOT, **variables: object) -> str:
    """Standard output of a module's command, or if there is none its errors."""
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        cwd=cwd,
        env=os.environ | {name: str(value) for name, value in variables.items()},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stdout or done.stderr


def of_mypy(folder: Path) -> dict[str, set[int]]:
    """Lines of the two programs with an error, as mypy --strict sees them.

    It runs elsewhere and without a configuration, as for a user who installed the package.
    """
    settings = ("--strict", "--config-file=", "--cache-dir", folder, "--no-error-summary")
    told = run("mypy", *settings, USER, WRONG, cwd=folder)
    found: dict[str, set[int]] = {USER.name: set(), WRONG.name: set()}
    for line in told.splitlines():
        place = re.match(r"(.*?):(\d+): (error|note):", line)
        assert place, told
        if place[3] == "error":
            found[Path(place[1]).name].add(int(place[2]))
    return found


def of_pyright(folder: Path) -> dict[str, set[int]]:
    """The same of pyright, in its strict mode."""
    settings = {"include": [str(USER), str(WRONG)], "typeCheckingMode": "strict"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    told = run("basedpyright", "--project", folder, "--pythonpath", sys.executable, "--outputjson")
    found: dict[str, set[int]] = {USER.name: set(), WRONG.name: set()}
    for error in json.loads(told)["generalDiagnostics"]:
        if error["severity"] == "error":
            found[Path(error["file"]).name].add(error["range"]["start"]["line"] + 1)
    return found


@pytest.mark.parametrize("checker", [of_mypy, of_pyright])
def test_programs(checker, tmp_path):
    lines = WRONG.read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert checker(tmp_path) == {USER.name: set(), WRONG.name: wrong}


def test_the_programs_use_every_public_name():
    for path, names in ((USER, set(ev.__all__)), (WRONG, set(QUERIES))):
        nodes = ast.walk(ast.parse(path.read_text()))
        used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        assert names <= used, path


def test_the_program_runs(capsys):
    runpy.run_path(str(USER))
    assert "不求人" in capsys.readouterr().out


def test_the_stub_is_the_package(tmp_path):
    """Every public name, its parameters and their defaults are in the stub as in the package."""
    settings = ("--mypy-config-file", "pyproject.toml")
    told = run("mypy.stubtest", "evaluator", *settings, "--concise", MYPY_CACHE_DIR=tmp_path)
    assert re.search(r"^evaluator\.\w+\.", told, re.MULTILINE), told  # it ran: modules below
    assert [line for line in told.splitlines() if re.match(r"evaluator\.\w+ ", line)] == []
    assert set(ev.__all__) == {*ev._HOME, "errors", "__version__"}


def test_the_package_passes_its_own_checks(tmp_path):
    told = run("mypy", "--cache-dir", tmp_path)
    assert told.startswith("Success"), told
