"""The rule files as reading matter: every key and every source is explained where it is met."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
import strategies_guobiao as guobiao
import strategies_sichuan as families
from test_cli import call  # noqa: F401

import evaluator as ev
from evaluator.rulesets import FOLDER, legend, records
from evaluator.rulesets.flags import FLAGS

DOCS = Path(__file__).parent.parent / "docs"
FILES = {path.stem: path for path in FOLDER.glob("*.toml") if path.stem in ev.rules()}


@pytest.mark.parametrize("name", FILES)
def test_a_file_explains_what_it_says(name):
    text = FILES[name].read_text(encoding="utf-8")
    assert legend.with_legend(text) == text, "run python -m evaluator.rulesets.legend"
    table = tomllib.loads(text)
    told = legend.used(table)
    assert set(told[""]) == set(table)
    for section in ("addons", "wilds", "settlement"):
        assert set(told.get(section, ())) == set(table.get(section, ())), section


def test_every_key_has_a_meaning():
    known = {"patterns": records.Pattern, "addons": records.Addons, "wilds": records.Wilds,
             "settlement": records.Settlement, "": ev.Rules}  # fmt: skip
    for section, record in known.items():
        keys = {field.name for field in fields(record)} - {"name"}
        own = {"seven_pairs"} if section == "" else set()  # short for forms
        assert set(legend.SECTIONS[section]) == keys | own, section


MEANINGS = {
    **legend.SECTIONS,
    "forms": legend.FORM_MEANINGS,
    "requires": records.CONDITIONS,
    "flags": {name: flag.text for name, flag in FLAGS.items()},
}
CHOICES = {
    **{("settlement", key): choices for key, choices in records._SETTLEMENT_CHOICES.items()},
    ("", "mode"): records.MODES,
    ("", "zimo"): records.ZIMO,
    ("", "dead_wait"): records.DEAD_WAITS,
    ("wilds", "kind"): ("next", "extra"),
}


@pytest.mark.parametrize("section", MEANINGS)
def test_meanings_are_in_both_languages(section):
    for key, text in MEANINGS[section].items():
        assert re.search("[a-z]{2}", text), key
        assert re.search("[\u4e00-\u9fff]", text), key


def test_meanings_name_values_and_defaults():
    for (section, key), choices in CHOICES.items():
        text = legend.SECTIONS[section][key]
        missing = [choice for choice in choices if f'"{choice}"' not in text.split("; default")[0]]
        assert not missing, key
    tables = {"": ev.Rules, "addons": records.Addons, "wilds": records.Wilds,
              "settlement": records.Settlement}  # fmt: skip
    for section, record in tables.items():
        for field in fields(record):
            if isinstance(field.default, bool | int):
                text = legend.SECTIONS[section][field.name]
                assert text.endswith(f"; default: {json.dumps(field.default)}"), field.name
            if isinstance(field.default, bool):  # what one of the values means
                assert text.startswith(("true: ", "false: ")), field.name


def test_keys_are_explained(call):  # noqa: F811
    everything = call("rules", "--keys").out
    for meanings in MEANINGS.values():
        for key in meanings:
            assert re.search(rf"^  {key} ", everything, re.MULTILINE), key
    got = call("rules", "--keys", "settlement.pig", "gen", "inferred").out
    sections = re.findall(r"^(\S.*):$", got, re.MULTILINE)
    assert sections == ["a rule file", "[wilds]", "[settlement]"]
    assert re.findall(r"^  (\w+)", got, re.MULTILINE) == [
        "gen",
        *["inferred"] * 2,
        "pig",
        "inferred",
    ]
    assert "default: 0" in got
    got = call("rules", "--keys", "gem")
    assert (got.status, got.out) == (2, "")
    assert "no key 'gem'" in got.err


def test_the_page_has_every_key():
    page = (DOCS / "rules.md").read_text(encoding="utf-8")
    inner = page.split("<!-- keys -->\n")[1].split("<!-- /keys -->")[0]
    assert inner == "\n".join(legend.page_table()), "run python -m evaluator.rulesets.legend"


CITED = re.compile(r"\b(00\d):(\d+(?:-\d+)?)")
# `key = value`, `"name" = {...}`, or a key that a comment says is left out: `# cap: none, ...`
NAMED = re.compile(r"\s*(?:\"?([^\s\"#=\[]+)\"?\s*=|# (\w+): none)")


def cited() -> dict[tuple[str, str], dict[str, list[str]]]:
    """(text, line) -> rule set -> keys whose value has that source; a module has no keys."""
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        key, waiting = "title", []
        for line in path.read_text(encoding="utf-8").splitlines():
            said = CITED.findall(line)
            named = NAMED.match(line)
            if named is None and line.lstrip().startswith("#"):
                waiting += said  # of the key that follows
                continue
            if named is not None:
                key, said, waiting = named[1] or named[2], waiting + said, []
            for source in said:
                keys = found.setdefault(source, {}).setdefault(path.stem, [])
                keys += [] if key in keys else [key]
    package = FOLDER.parent
    for path in sorted(package.rglob("*.py")):
        for source in CITED.findall(path.read_text(encoding="utf-8")):
            found.setdefault(source, {})[path.relative_to(package).as_posix()] = []
    return found


def users(by_name: dict[str, list[str]]) -> str:
    return "; ".join(
        f"`{name}`: {', '.join(keys)}" if keys else f"`{name}`" for name, keys in by_name.items()
    )


def test_every_source_is_told():
    """The pages of docs/rules have a statement for each source, and name what uses it."""
    rows = {}
    for page in (DOCS / "rules").glob("00*.md"):
        for line in page.read_text(encoding="utf-8").splitlines():
            row = re.match(r"\| (\d+(?:-\d+)?) \| (.+) \| (.+) \|$", line)
            if row:
                rows[page.name[:3], row[1]] = row[3]
    assert rows == {source: users(by_name) for source, by_name in cited().items()}


@pytest.mark.parametrize("name", ["guobiao", "guobiao_1998"])
def test_parts_of_fan(name):
    """81 fan, and 明暗杠 where the rule set has it; random scores list nothing else."""
    parts = ev.rules(name).parts
    known = {part.name: part for part in parts}
    assert len(known) == len(parts) == 81 + (name == "guobiao")
    assert [part.value for part in parts] == sorted((part.value for part in parts), reverse=True)
    hands = [
        hand
        for kind in guobiao.KINDS_OF_HANDS
        for hand in guobiao.to_hands(guobiao.batch(kind, 150, seed=47))
    ]
    listed = set()
    for hand in hands:
        for part in ev.score(hand, name):
            assert (known[part.name].value, known[part.name].english) == (part.value, part.english)
            listed.add(part.name)
    assert len(listed) > 60  # of the 81: the test saw more than the common ones


def test_shapes_have_no_parts():
    assert ev.rules("riichi").parts == ()


@pytest.mark.parametrize("name", ev.rules())
def test_parts_are_shown(name, call):  # noqa: F811
    """``rules NAME`` lists the fan, or the patterns, on the screen and as JSON."""
    rules = ev.rules(name)
    facts = json.loads(call("rules", name, "--json").out)
    assert facts == next(
        given for given in json.loads(call("rules", "--json").out) if given["name"] == name
    )
    if rules.fan_table:
        assert [tuple(fan.values()) for fan in facts["fan"]] == [
            (part.name, part.english, part.value) for part in rules.parts
        ]
    assert [p["name"] for p in facts.get("patterns", ())] == [p.name for p in rules.patterns]
    shown = call("rules", name).out.splitlines()
    for part in rules.parts if rules.fan_table else ():
        assert [line for line in shown if line.split() == [
            str(part.value), part.name, *part.english.split()]], part.name  # fmt: skip
    for pattern in rules.patterns:
        assert [line for line in shown if line.split()[:2] == [pattern.name, str(pattern.value)]]


@pytest.mark.parametrize("name", [name for name in ev.rules() if ev.rules(name).patterns])
def test_parts_of_patterns(name):
    known = {part.name: part for part in ev.rules(name).parts}
    some = families.dandong if ev.rules(name).kinds == 34 else families.anything
    wild = families.yibin_wilds if ev.rules(name).wilds.count else some
    hands = [
        hand for family in (some, wild, *families.COMPLETE) for hand in families.batch(family, 20)
    ]
    for score in ev.score(ev.Hands.from_hands(hands), name, errors="mark"):
        for part in score.parts:
            assert (known[part.name].value, known[part.name].english) == (part.value, part.english)
