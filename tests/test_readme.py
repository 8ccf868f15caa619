"""What the README and the pages of docs/ show is what happens."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = {
    path.name: path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
}
README = PAGES["README.md"]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGES[page], re.MULTILINE | re.DOTALL)


WITH_PYTHON = [page for page in PAGES if blocks(page, "python")]


def test_readme_is_short():
    assert len(README.splitlines()) <= 200


def test_pages_have_their_examples():
    assert {"README.md", "api.md", "sichuan.md", "settlement.md", "files.md"} <= set(WITH_PYTHON)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files(page):
    folder = ROOT if page == "README.md" else ROOT / "docs"
    for link in re.findall(r"\]\(([^)#]+)\)", PAGES[page]):
        assert (folder / link).is_file(), link


@pytest.mark.parametrize("page", WITH_PYTHON)
def test_python_examples(page):
    source = "\n".join(blocks(page, "python"))
    examples = doctest.DocTestParser().get_doctest(source, {}, page, "", 0)
    assert examples.examples
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(examples, out=report.append)
    assert not runner.failures, "".join(report)


def test_commands_for_a_fresh_machine_are_one_line_each():
    for name in ("demo-command", "test-command"):
        (block,) = re.findall(rf"<!-- {name} -->\n```sh\n(.*?)```", README, re.DOTALL)
        assert block.count("\n") == 1
        assert block.startswith("python3 -m venv .venv && .venv/bin/pip install ")


def test_ci_runs_the_test_command():
    script = (ROOT / ".ci" / "run").read_text()
    extract = re.search(r"^command=\$\((sed .*)\)$", script, re.MULTILINE).group(1)
    found = subprocess.run(
        ["bash", "-c", extract], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert found.strip() in README
    assert found.strip().endswith("-m pytest")


@pytest.mark.parametrize(
    "line",
    [
        line.split("#")[0].strip()
        for page in PAGES
        for block in blocks(page, "sh")
        for line in block.splitlines()
        if line.startswith("mahjong-eval")
    ],
)
def test_shell_examples(line, tmp_path):
    (tmp_path / "hands.txt").write_text("123m406p789s1122z\n1112345678999m\n")
    (house,) = (block for block in blocks("sichuan.md", "toml") if "[patterns]" in block)
    (tmp_path / "house.toml").write_text(house, encoding="utf-8")
    shutil.copy(ROOT / "evaluator" / "samples" / "round.json", tmp_path)
    words = shlex.split(line)
    run = subprocess.run(
        [sys.executable, "-m", "evaluator", *words[1:]],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout or len(list(tmp_path.iterdir())) > 1


def test_rule_sets_named_are_those_there_are():
    import evaluator as ev

    table = [
        line.split("|")[1]
        for line in PAGES["rules.md"].split("<!-- keys -->")[0].splitlines()
        if line.startswith("| `")
    ]
    assert sorted(re.findall(r"`(\w+)`", "".join(table))) == sorted(ev.rules())
