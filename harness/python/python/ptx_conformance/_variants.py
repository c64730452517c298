"""The instruction table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from . import _native
from ._elements import Element, element


@dataclass(frozen=True)
class Variant:
    """One spelling of an instruction, such as ``fma.rn.bf16``.

    Attributes:
        name: The spelling.
        syntax: The line of the manual's syntax that allows it.
        section: The section of NVIDIA's PTX ISA manual, or the document of a cast that PTX does not have.
        contract: ``"exact"``, or ``"within a bound"`` for approximations.
        lanes: How many elements a register holds. Arrays need not know: element *i* is lane *i* modulo `lanes`.
        inputs: The arrays that `compute` takes.
        outputs: The arrays that `compute` gives.
        since: Versions of PTX with the targets that they brought it to.
        open_points: Names of what the manual leaves open about its results.
    """

    name: str
    syntax: str
    section: str
    contract: str
    lanes: int
    inputs: tuple[Element, ...]
    outputs: tuple[Element, ...]
    since: tuple[tuple[str, tuple[str, ...]], ...]
    open_points: tuple[str, ...]

    def __repr__(self) -> str:
        inputs = ", ".join(map(str, self.inputs))
        outputs = ", ".join(map(str, self.outputs))
        return f"<{self.name} ({inputs}) -> ({outputs}), {self.contract}, section {self.section}>"


def variant(name: str | Variant) -> Variant:
    """Returns the variant of a name. A variant is returned as it is.

    Raises:
        ValueError: If there is none, with the names that are similar.

    >>> variant("fma.rn.bf16")
    <fma.rn.bf16 (a: bf16, b: bf16, c: bf16) -> (d: bf16), exact, section 9.7.4.4>
    """
    if isinstance(name, Variant):
        return name
    if not isinstance(name, str):
        raise TypeError(f"a variant is named by a str, and this is a {type(name).__name__}")
    return _described(name)


@lru_cache(maxsize=1024)
def _described(name: str) -> Variant:
    """Returns the variant of a name."""
    one = json.loads(_native.describe(name))
    return Variant(
        name=one["name"],
        syntax=one["syntax"],
        section=one["section"],
        contract=one["contract"],
        lanes=one["lanes"],
        inputs=tuple(element(**data) for data in one["inputs"]),
        outputs=tuple(element(**data) for data in one["outputs"]),
        since=tuple((since["ptx"], tuple(since["targets"])) for since in one["since"]),
        open_points=tuple(one["open_points"]),
    )


def variants(only: str | Variant | Sequence[str | Variant] = "*", *, target: str | None = None) -> list[Variant]:
    """Lists the variants that match a pattern, or one of several, in the order of the manual.

    Args:
        only: Patterns with ``*`` and ``?``.
        target: A target that must have the variants, such as ``"sm_90a"``.

    Raises:
        ValueError: If nothing matches, or there is no such target.

    >>> [v.name for v in variants("cvt.*.e4m3x2.f32", target="sm_90")]
    ['cvt.rn.satfinite.e4m3x2.f32', 'cvt.rn.satfinite.relu.e4m3x2.f32']
    """
    return [variant(name) for name in _native.names(patterns(only), target)]


def patterns(only: str | Variant | Sequence[str | Variant]) -> list[str]:
    """Returns the names and patterns that somebody has given.

    Raises:
        ValueError: If there are none.
        TypeError: If something else is among them.
    """
    several = [only] if isinstance(only, (str, Variant)) else list(only)
    if not several:
        raise ValueError("no variant is named: give a name or a pattern, such as 'fma.*'; '*' is all of them")
    for one in several:
        if not isinstance(one, (str, Variant)):
            raise TypeError(f"a variant is named by a str, and this is a {type(one).__name__}")
    return [one.name if isinstance(one, Variant) else one for one in several]
