"""The project as a whole: layers, tables, wheel, the README's claims."""

import ast
import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest

import evaluator as ev
from evaluator.engine import tables

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "evaluator"

# a floor knows those below it, and nothing of those above
FLOORS = [
    {"_version", "answers", "errors", "messages", "reasons", "tiles"},
    {"engine"},
    {"hands"},
    {"rulesets"},
    {"shape"},
    {"scoring"},
    {"distance", "settlement"},
    {"files"},
    {"dealing"},
    {"compat", "warming", "commands", "cli", "__main__"},
]
FLOOR = {folder: floor for floor, folders in enumerate(FLOORS) for folder in folders}


def imports_of(path: Path) -> set[str]:
    """Modules of the package that a file imports anywhere, as dotted names without its own."""
    name = path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
    package = name.split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1] + (node.module or "").split(".")
            base = [part for part in base if part]
            folder = PACKAGE.joinpath(*base)
            for alias in node.names:
                inside = (folder / f"{alias.name}.py").exists() or (folder / alias.name).is_dir()
                found.add(".".join([*base, alias.name] if inside else base))
    return found


def test_each_floor_knows_only_those_below_it():
    known = {path: imports_of(path) for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE}
    up = [
        f"{path.relative_to(PACKAGE)} imports {target}"
        for path, targets in known.items()
        for target in targets
        if FLOOR[target.split(".")[0]] > FLOOR[path.relative_to(PACKAGE).parts[0]]
    ]
    # Rules.parts and Rules.ready_max_fan ask the door of scores when they are called
    assert up == ["rulesets/__init__.py imports scoring"]


def test_only_jit_imports_numba():
    allowed = {"engine/jit.py", "engine/vector.py"}  # intrinsics are numba's own language
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = (
                [a.name for a in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            if any(n.split(".")[0] in ("numba", "llvmlite") for n in names):
                assert path.relative_to(PACKAGE).as_posix() in allowed


def test_kernels_know_no_rule_names():
    names = [*ev.rules(), "riichi"]
    for path in PACKAGE.rglob("kernels/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in names, path


def test_tables_are_what_the_definition_gives():
    run = subprocess.run(
        [sys.executable, str(ROOT / "tables" / "build.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "what the definition gives" in run.stdout


def test_check_notices_one_changed_entry(tmp_path):
    folder = shutil.copytree(ROOT / "tables", tmp_path / "tables")
    arrays = dict(np.load(folder / "shape.npz"))
    arrays["suit_class"][12345] ^= 1
    np.savez_compressed(folder / "shape.npz", **arrays)
    run = subprocess.run(
        [sys.executable, str(folder / "build.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "suit_class differs" in run.stdout
    assert "not the file of the manifest" in run.stdout


def test_there_are_180_classes():
    shape = tables.load("shape.npz")
    assert shape["merge"].shape == (180, 180)
    suits = shape["suit_class"][: tables.HONOURS]
    assert len(np.unique(shape["distance"][np.unique(suits)], axis=0)) == 126
    # class 0 changes nothing; merging is commutative and associative
    merge = shape["merge"]
    assert (merge[0] == np.arange(180)).all()
    assert (merge == merge.T).all()
    for a in range(180):
        assert (merge[merge[a]] == merge[a][merge]).all()


@pytest.fixture
def copied_tables(tmp_path, monkeypatch):
    folder = shutil.copytree(ROOT / "tables", tmp_path / "tables")
    monkeypatch.setattr(tables, "folder", lambda: folder)
    return folder


def test_loader_refuses_another_format(copied_tables):
    manifest = json.loads((copied_tables / "MANIFEST.json").read_text())
    manifest["format"] = 99
    (copied_tables / "MANIFEST.json").write_text(json.dumps(manifest))
    with pytest.raises(tables.TablesError, match="format 99, this package reads 1"):
        tables.load("shape.npz")


def test_loader_refuses_damage(copied_tables):
    data = bytearray((copied_tables / "accept.npz").read_bytes())
    data[1000] ^= 1
    (copied_tables / "accept.npz").write_bytes(data)
    with pytest.raises(tables.TablesError, match=r"accept\.npz is damaged"):
        tables.load("accept.npz")


@pytest.mark.parametrize("text", ["", "[]", '{"format": 1}', '{"format": 1, "files": 3}'])
def test_loader_refuses_a_broken_manifest(copied_tables, text):
    (copied_tables / "MANIFEST.json").write_text(text)
    with pytest.raises(tables.TablesError, match="cannot read the table"):
        tables.load("shape.npz")


def test_loader_says_when_there_are_no_tables(monkeypatch, tmp_path):
    monkeypatch.setattr(tables, "__file__", str(tmp_path / "evaluator" / "tables.py"))
    with pytest.raises(tables.TablesError, match="no tables in"):
        tables.folder()


def test_tables_is_no_package():
    """The name belongs to another project."""
    assert not (ROOT / "tables" / "__init__.py").exists()


def test_wheel_works_in_a_clean_environment(tmp_path):
    """Built, installed without the checkout, asked through the command."""
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(tmp_path)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < 2_500_000
    typed = {"evaluator/py.typed", "evaluator/__init__.pyi"}
    with zipfile.ZipFile(wheel) as files:
        assert typed <= set(files.namelist())
    home = tmp_path / "env"
    venv.create(home, with_pip=False, system_site_packages=False)
    site = next(home.glob("lib/python*/site-packages"))
    # numpy and numba come from here: what is tested is this package's wheel
    (site / "dependencies.pth").write_text(
        "\n".join(p for p in sys.path if p.endswith("site-packages"))
    )
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site), wheel],
        check=True,
        capture_output=True,
    )
    python = home / "bin" / "python"
    code = (
        "import evaluator as ev; print(ev.__file__);"
        "print(ev.shanten(ev.parse('123456789m1111z'), 'riichi'), len(ev.rules()))"
    )
    run = subprocess.run(
        [python, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
    )
    where, answer = run.stdout.splitlines()
    assert where.startswith(str(site))
    assert answer == f"1 {len(ev.rules())}"
    run = subprocess.run(
        [python, "-m", "evaluator", "shanten", "123456789m1111z", "--rules", "riichi"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1" in run.stdout
