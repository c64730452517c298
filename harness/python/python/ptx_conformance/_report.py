"""Verdicts."""

from __future__ import annotations

import html
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    import pandas  # type: ignore[import-not-found,import-untyped,unused-ignore]


@dataclass(frozen=True)
class MismatchClass:
    """Wrong results that have something in common.

    Attributes:
        id: The variant and a short name, such as ``"fma.rn.bf16/ulp-above"``.
        diagnosis: What is wrong, in a sentence.
        count: How many wrong results the class has.
        cause: What the implementation seems to do, if a wrong model was found that gives every result of the class that
            was tried again, and no other wrong result; else ``None``.
        simplest: The simplest vector of the class: ``"operands"``, ``"expected"`` and ``"actual"``, each a list of
            registers with name, type, bits and value.
    """

    id: str
    diagnosis: str
    count: int
    cause: str | None
    simplest: dict[str, Any]


def _counted(count: int, one: str, several: str) -> str:
    """Returns a number with its noun."""
    return f"{count:,} {one if count == 1 else several}"


class Report:
    """The verdict on an implementation.

    ``print`` shows what the program prints. A notebook shows the page with the explanations. A report is true if it
    passed, so ``assert check(…)`` is a test; `raise_for_mismatches` says more when it fails.
    """

    def __init__(self, text: str) -> None:
        self._json = text
        self._data: dict[str, Any] = json.loads(text)

    @property
    def passed(self) -> bool:
        """Whether vectors were judged, and all results agree with the contract."""
        return self.vectors > 0 and all(one["status"] == "pass" for one in self._data["variants"])

    @property
    def vectors(self) -> int:
        """How many rows of registers were judged; a row has an element for each lane."""
        return sum(one["vectors"] for one in self._data["variants"])

    @property
    def mismatches(self) -> int:
        """How many of the judged rows are wrong."""
        return sum(one["mismatches"] for one in self._data["variants"])

    @property
    def classes(self) -> list[MismatchClass]:
        """The wrong results by what they have in common."""
        return [
            MismatchClass(
                id=one["id"],
                diagnosis=one["diagnosis"],
                count=one["count"],
                cause=one["explanation"]["words"] if one.get("explanation") else None,
                simplest=one.get("simplest") or one["examples"][0],
            )
            for variant in self._data["variants"]
            for one in variant["classes"]
        ]

    @property
    def causes(self) -> list[str]:
        """The causes that were found, each once."""
        return list(dict.fromkeys(one.cause for one in self.classes if one.cause))

    def raise_for_mismatches(self) -> None:
        """Raises `AssertionError` with what the program prints, unless the report passed."""
        if not self.passed:
            raise AssertionError("\n" + str(self))

    def to_dict(self) -> dict[str, Any]:
        """Returns the whole report, whose fields are described in the schema of reports."""
        data: dict[str, Any] = json.loads(self._json)
        return data

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a row for each class of wrong results. Needs pandas."""
        import pandas

        columns = ["id", "count", "diagnosis", "cause"]
        rows = [[one.id, one.count, one.diagnosis, one.cause] for one in self.classes]
        return pandas.DataFrame(rows, columns=columns)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as JSON: `conformance report show` and `conformance report diff` read it."""
        Path(path).write_text(_native.sealed(self._json) + "\n")

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return _native.summary(self._json, shutil.get_terminal_size().columns)

    def __repr__(self) -> str:
        verdict = "passed" if self.passed else _counted(self.mismatches, "mismatch", "mismatches")
        return f"<Report: {verdict} in {_counted(self.vectors, 'vector', 'vectors')}>"

    def _repr_html_(self) -> str:
        page = html.escape(_native.page(self._json), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0" sandbox="allow-scripts"></iframe>'
