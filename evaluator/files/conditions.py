"""Conditions on rows: ``shanten <= 1 and game == 'G7'``, as text and as Arrow expressions.

The words are Python's: ``== != < <= > >= in`` (a list), ``not in``, ``is None``, ``and or
not``, ``&`` of bits, numbers, text in quotes, ``True False``; names of columns, in
```backticks``` if they are no single word. As in SQL a comparison with a missing value
is not true.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..engine.optional import arrow, need
from ..errors import Code, EvaluatorError, place

if TYPE_CHECKING:
    import pyarrow as pa

_COMPARISONS: dict[type[ast.cmpop], Any] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$"
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`([^`]+)`""")


class WhereError(EvaluatorError):
    """A condition that cannot be understood or does not fit the columns.

    Attributes
    ----------
    text, reason : str
    """

    def __init__(self, text: str, code: Code, /, **fields: Any) -> None:
        super().__init__(code, **fields)
        self.text = text

    @property
    def reason(self) -> str:
        return self._said("en")

    def _text(self, lang: str) -> str:
        return place(f"{'条件' if lang == 'zh' else 'condition'} {self.text!r}", lang) + self._said(
            lang
        )


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition, and the columns it looks at.

    Attributes
    ----------
    text : str
        As it was given.
    tree : str
        Python source of this part of it, backticked names replaced.
    quoted : tuple of str
        The backticked names.
    """

    text: str
    tree: str
    quoted: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Columns it looks at."""
        nodes = ast.walk(ast.parse(self.tree, mode="eval"))
        return frozenset(self._name(node.id) for node in nodes if isinstance(node, ast.Name))

    def _name(self, word: str) -> str:
        number = word.removeprefix(_PLACE)
        return self.quoted[int(number)] if number != word else word

    def expression(self, schema: pa.Schema) -> Any:
        """The condition for columns of a schema."""
        missing = sorted(self.names - set(schema.names))
        if missing:
            name, known = repr(missing[0]), tuple(schema.names)
            raise WhereError(self.text, Code.WHERE_NO_COLUMN, name=name, choices=known)
        made = _Maker(self, schema).make(ast.parse(self.tree, mode="eval").body)
        try:
            mask(schema.empty_table(), made)
        except (arrow().ArrowException, TypeError) as error:
            detail = str(error).splitlines()[0]
            raise WhereError(self.text, Code.WHERE_UNREADABLE, detail=detail) from None
        return made


_PLACE = "__column_"


def parse_where(text: str) -> tuple[Condition, ...]:
    """A condition as parts that must all be true.

    Examples
    --------
    >>> first, second = parse_where("shanten <= 1 and `game no` in (1, 2)")
    >>> sorted(first.names), sorted(second.names)
    (['shanten'], ['game no'])
    """
    quoted: list[str] = []

    def replaced(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        quoted.append(found[1])
        return f"{_PLACE}{len(quoted) - 1}"

    try:
        body = ast.parse(_QUOTED.sub(replaced, text.strip()), mode="eval").body
    except (SyntaxError, ValueError) as error:
        equal = re.search(r"[^<>=!]=[^=]", text)
        code = Code.WHERE_EQUAL if equal else Code.WHERE_UNREADABLE
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise WhereError(text, code, detail=reason) from None
    conjunction = isinstance(body, ast.BoolOp) and isinstance(body.op, ast.And)
    parts = body.values if conjunction and isinstance(body, ast.BoolOp) else [body]
    conditions = tuple(Condition(text, ast.unparse(part), tuple(quoted)) for part in parts)
    for condition in conditions:
        _Maker(condition, None).make(ast.parse(condition.tree, mode="eval").body)
    return conditions


def mask(table: Any, expression: Any) -> pa.Array:
    """Which rows of a table or batch an expression is true for; null where it cannot say."""
    pa = arrow()
    dataset = need("pyarrow.dataset", "arrow")
    whole = pa.Table.from_batches([table]) if isinstance(table, pa.RecordBatch) else table
    found = dataset.dataset(whole).to_table(columns={"mask": expression}, use_threads=False)
    return found["mask"].combine_chunks().cast(pa.bool_())


def all_of(expressions: Iterable[Any]) -> Any:
    """One expression of several that must all be true; None if there are none."""
    made = None
    for expression in expressions:
        made = expression if made is None else made & expression
    return made


class _Maker:
    """Makes the expression of a tree; without a schema it only looks whether it can."""

    def __init__(self, condition: Condition, schema: pa.Schema | None) -> None:
        self._condition = condition
        self._schema = schema
        self._compute = need("pyarrow.compute", "arrow")

    def _refuse(self, code: Code, **fields: Any) -> WhereError:
        return WhereError(self._condition.text, code, **fields)

    def make(self, node: ast.expr) -> Any:
        """A condition."""
        if isinstance(node, ast.BoolOp):
            join = operator.and_ if isinstance(node.op, ast.And) else operator.or_
            made = self.make(node.values[0])
            for other in node.values[1:]:
                made = join(made, self.make(other))
            return made
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ~self.make(node.operand)
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            return all_of(
                self._compare(left, how, right)
                for left, how, right in zip(sides, node.ops, sides[1:], strict=False)
            )
        if isinstance(node, ast.Name):
            return self._value(node)
        raise self._refuse(Code.WHERE_NO_CONDITION, part=ast.unparse(node))

    def _compare(self, left: ast.expr, how: ast.cmpop, right: ast.expr) -> Any:
        if isinstance(how, ast.Is | ast.IsNot) or _is_none(right):
            if not _is_none(right) or not isinstance(how, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
                raise self._refuse(Code.WHERE_NONE)
            null = self._value(left).is_null()
            return null if isinstance(how, ast.Is | ast.Eq) else ~null
        if isinstance(how, ast.In | ast.NotIn):
            if not isinstance(right, ast.List | ast.Tuple | ast.Set):
                raise self._refuse(Code.WHERE_LIST)
            value = self._value(left, right.elts)
            try:
                found = value.isin([_constant(element) for element in right.elts])
            except ValueError:
                said = ast.unparse(right)
                raise self._refuse(Code.WHERE_NO_VALUE, part=said) from None
            return found if isinstance(how, ast.In) else ~found & value.is_valid()
        return _COMPARISONS[type(how)](self._value(left, [right]), self._value(right, [left]))

    def _value(self, node: ast.expr, others: list[ast.expr] | None = None) -> Any:
        """A column, a number, a text; a column of text beside numbers as numbers."""
        compute = self._compute
        if isinstance(node, ast.Name):
            name = self._condition._name(node.id)
            column = compute.field(name)
            numbers = bool(others) and all(_is_number(other) for other in others or [])
            return self._as_number(column) if numbers and self._is_text(name) else column
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
            return compute.bit_wise_and(self._value(node.left), self._value(node.right))
        try:
            return compute.scalar(_constant(node))
        except (ValueError, OverflowError):
            raise self._refuse(Code.WHERE_NO_VALUE, part=ast.unparse(node)) from None

    def _is_text(self, name: str) -> bool:
        if self._schema is None:
            return False
        kind, types = self._schema.field(name).type, arrow().types
        return bool(types.is_string(kind) or types.is_large_string(kind))

    def _as_number(self, column: Any) -> Any:
        pa, compute = arrow(), self._compute
        written = compute.match_substring_regex(column, _NUMBER)
        text = compute.if_else(
            written, compute.utf8_trim_whitespace(column), pa.scalar(None, pa.string())
        )
        return text.cast(pa.float64())


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_number(node: ast.expr) -> bool:
    try:
        value = _constant(node)
    except ValueError:
        return False
    return isinstance(value, int | float) and not isinstance(value, bool)


def _constant(node: ast.expr) -> Any:
    value = ast.literal_eval(node)
    if not isinstance(value, int | float | str | bool):
        raise ValueError(value)
    return value
