"""The plugin of pytest: the fixture `conforms`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ._judge import run
from ._report import Report
from ._variants import variants


def cases(only: str | Sequence[str] = "*", *, target: str | None = None) -> tuple[str, list[str]]:
    """Returns the arguments of ``pytest.mark.parametrize`` for the variants that match: ``"name"`` and their names.

    The test has a parameter `name`.

    Args:
        only: Patterns, as `variants` takes them.
        target: A target that must have the variants.

    >>> cases("neg.f16")
    ('name', ['neg.f16'])
    """
    return "name", [one.name for one in variants(only, target=target)]


@pytest.fixture
def conforms() -> Callable[..., Report]:
    """A function that judges a function as `run` does, and fails the test with cause and simplest vector."""

    def judged(function: Callable[..., Any], name: str, **options: Any) -> Report:
        __tracebackhide__ = True
        report = run(function, name, **options)
        report.raise_for_mismatches()
        return report

    return judged
