"""Judging: arrays that somebody has, functions of arrays, and the suite's vectors."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from ._compute import Operands, result_bytes
from ._elements import Array, Bytes, Element, bits_of, values_of
from ._report import Report
from ._variants import Variant, variant


def check(name: str, results: Any, *operands: Any, label: str = "results") -> Report:
    """Judges results, and looks for the cause of wrong ones.

    MPFR computes what is right, rounded once. Where the manual leaves a choice, each permitted result passes; of an
    approximation, each result within its bound.

    Args:
        name: A variant, such as ``"cvt.rn.satfinite.e4m3x2.f32"``.
        results: An array of the operands' broadcast shape, or a tuple of arrays if the variant has several results.
        operands: As `compute` takes them.
        label: What the report calls the results.

    Raises:
        ValueError: If there is no such variant, if shapes do not fit, or if the arrays are empty.
        TypeError: If dtypes do not fit.

    >>> import numpy as np
    >>> x = np.float16([1, -2, 0.5])
    >>> check("neg.f16", -x, x)
    <Report: passed in 3 vectors>
    """
    of = variant(name)
    given = Operands(of, operands)
    outputs = result_bytes(of, results, given)
    return Report(_native.check(name, outputs, given.bytes(0, given.rows), label))


def run(
    function: Callable[..., Any],
    only: str | Sequence[str],
    *,
    label: str | None = None,
    tier: str = "quick",
    seed: int = 0,
    jobs: int | None = None,
) -> Report:
    """Judges a function of arrays on the suite's own vectors.

    Args:
        function: Takes an array for each input of a variant, of one dimension and the dtypes of `Variant.inputs`, and
            returns the array of results, or a tuple of arrays. Formats without a dtype come as unsigned integers.
        only: The variant that the function computes, or a pattern, or several.
        label: What the report calls the function. Default: its name.
        tier: ``"quick"``, ``"nightly"`` or ``"exhaustive"``.
        seed: The seed of random vectors.
        jobs: How many threads judge. Default: one for each processor.

    Raises:
        ValueError: If no variant matches, or if the results have another shape than the operands.
        TypeError: If the results have another dtype than the variant's.
        Exception: What the function raises comes out as it is.

    >>> import numpy as np
    >>> report = run(lambda x: x.astype(np.float32).astype(np.float16), "cvt.rn.f16.f64", label="by way of f32")
    >>> report.passed, [cause for cause in report.causes if "double" in cause]
    (False, ['the result is rounded to f32 first (double rounding)'])
    """
    name = label or getattr(function, "__name__", None) or type(function).__name__

    def adapted(name: str, operands: list[Bytes]) -> list[Bytes]:
        of = variant(name)
        arrays = [
            values_of(array.view(element.storage), element)
            for array, element in zip(operands, of.inputs, strict=True)
        ]
        # What the function changes must not be what is judged.
        answers = function(*(array.copy() for array in arrays))
        return result_bytes(of, answers, Operands(of, arrays))

    patterns = [only] if isinstance(only, str) else list(only)
    threads = jobs if jobs is not None else os.cpu_count() or 1
    return Report(
        _native.run(adapted, patterns, label=name, tier=tier, seed=seed, jobs=max(1, threads))
    )


def judge(
    file: str | os.PathLike[str],
    function: str | None = None,
    *,
    as_: str | None = None,
    against: str | None = None,
    options: Sequence[str] = (),
) -> Report:
    """Judges a function or kernel in a file of PTX, or of CUDA C++ or LLVM IR with a compiler that is set up.

    Args:
        file: The file.
        function: The function or kernel in it. Default: the only one.
        as_: What it should compute: a variant, or an expression such as ``"div.rn.f32(a, b)"``.
        against: A file whose function of the same name should compute the same.
        options: Further words of the command line, as ``conformance judge --help`` lists them.

    Raises:
        ValueError: If the function cannot be judged, with what the program says.
    """
    with tempfile.TemporaryDirectory() as folder:
        words = ["judge", os.fspath(file), "--out", folder]
        for option, value in (("--function", function), ("--as", as_), ("--against", against)):
            if value is not None:
                words += [option, value]
        command = [sys.executable, "-m", "ptx_conformance", *words, *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        report = Path(folder) / "report.json"
        if done.returncode not in (0, 1) or not report.exists():
            said = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
            raise ValueError(said[-1].removeprefix("error: ") if said else done.stderr or done.stdout)
        return Report(report.read_text())


@dataclass(frozen=True)
class Vectors:
    """Vectors of a sweep.

    Attributes:
        variant: The variant that the vectors are for.
        operands: An array for each input.
        expected: An array for each result: what MPFR gives, by the first interpretation of the manual. Other results may
            be permitted: `check` knows.
    """

    variant: Variant
    operands: tuple[Array, ...]
    expected: tuple[Array, ...]


def sweeps(name: str) -> dict[str, int | None]:
    """Returns the sweeps of a variant with their numbers of vectors; ``None`` for sweeps without an end.

    >>> "midpoint" in sweeps("fma.rn.f16")
    True
    """
    return dict(_native.sweep_lengths(name))


def vectors(name: str, *, sweep: str = "midpoint", count: int = 10_000, first: int = 0, seed: int = 0) -> Vectors:
    """Returns vectors of a sweep with the results that are expected of them.

    Args:
        name: A variant.
        sweep: What the vectors are about: one of `sweeps`.
        count: How many vectors; each has an element for each lane.
        first: The number of the first vector.
        seed: The seed of random vectors.

    Raises:
        ValueError: If there is no such variant or sweep, or if the sweep has fewer vectors.

    >>> v = vectors("fma.rn.f16", sweep="midpoint", count=4)
    >>> [array.shape for array in v.operands], v.expected[0].dtype
    ([(4,), (4,), (4,)], dtype('float16'))
    """
    of = variant(name)
    if count < 1 or first < 0:
        raise ValueError(f"vectors {first} to {first + count} were asked for: give a count of 1 at least")
    operands, expected = _native.vectors(name, sweep, first, count, seed)
    return Vectors(
        of,
        tuple(values_of(b.view(e.storage), e) for b, e in zip(operands, of.inputs, strict=True)),
        tuple(values_of(b.view(e.storage), e) for b, e in zip(expected, of.outputs, strict=True)),
    )


def explain(name: str, *operands: Any) -> str:
    """Explains step by step what PTX asks of one vector: exact result, rounding, and what common mistakes would give.

    Args:
        name: A variant of one lane.
        operands: A number for each operand. A number of Python is rounded to the operand's format, and a note says so.

    Raises:
        ValueError: If there is no such variant.
        TypeError: If there are other than its operands, or packed ones.

    >>> "exact" in explain("fma.rn.bf16", 1.5, -1.0078125, 2**-53)
    True
    """
    of = variant(name)
    if len(operands) != len(of.inputs) or of.lanes > 1:
        wanted = ", ".join(map(str, of.inputs))
        raise TypeError(f"{name} takes {wanted}, in {of.lanes} lanes; explain takes one number for each, of one lane")
    return _native.explanation(
        name,
        [_word(value, element, number) for number, (value, element) in enumerate(zip(operands, of.inputs, strict=True))],
    )


def _word(value: Any, element: Element, number: int) -> str:
    """Returns an operand as the program's command line has it."""
    try:
        bits = bits_of(value, element, f"operand {number}")
    except ValueError:
        if not isinstance(value, (int, float)) or isinstance(value, np.generic):
            raise
        # The program rounds it, and says so.
        return f"={value!r}"
    if bits.size != 1:
        raise TypeError(f"operand {number} has {bits.size} elements, and one is wanted")
    return f"{int(bits.reshape(-1)[0]) << element.shift:#x}"
