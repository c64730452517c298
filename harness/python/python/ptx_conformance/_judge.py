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
from ._variants import Variant, patterns, variant


def check(name: str | Variant, results: Any, *operands: Any, label: str = "results") -> Report:
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
    return Report(_native.check(of.name, outputs, given.bytes(0, given.rows), _label(label)))


def run(
    function: Callable[..., Any],
    only: str | Variant | Sequence[str | Variant],
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
    name = _label(label or getattr(function, "__name__", None) or type(function).__name__)
    if not callable(function):
        raise TypeError(f"a function is wanted first, and this is a {type(function).__name__}")

    def adapted(name: str, operands: list[Bytes]) -> list[Bytes]:
        of = variant(name)
        arrays = [
            values_of(array.view(element.storage), element)
            for array, element in zip(operands, of.inputs, strict=True)
        ]
        # What the function changes must not be what is judged.
        answers = function(*(array.copy() for array in arrays))
        return result_bytes(of, answers, Operands(of, arrays))

    if not isinstance(tier, str):
        raise TypeError(f"the tier is a str, and this is a {type(tier).__name__}")
    threads = _whole(jobs if jobs is not None else os.cpu_count() or 1, "jobs", 1, 1024)
    seed = _whole(seed, "seed", 0, 2**64 - 1)
    return Report(_native.run(adapted, patterns(only), label=name, tier=tier, seed=seed, jobs=threads))


def _label(label: object) -> str:
    """Returns what a report calls results.

    Raises:
        TypeError, ValueError: If it is no text, or a long one.
    """
    if not isinstance(label, str):
        raise TypeError(f"the label is a str, and this is a {type(label).__name__}")
    if len(label) > 200:
        raise ValueError(f"the label has {len(label)} characters: give one of 200 at most")
    return label


def _whole(number: object, name: str, least: int, most: int) -> int:
    """Returns a whole number within limits.

    Raises:
        TypeError, ValueError: If it is none, or outside of the limits.
    """
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
        raise TypeError(f"{name} is a whole number, and this is a {type(number).__name__}")
    if not least <= int(number) <= most:
        raise ValueError(f"{name}={number}: give a number from {least} to {most}")
    return int(number)


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
    if isinstance(options, str):
        raise TypeError("options is a list of words, such as ['--tier', 'quick']")
    for option, text in (("as_", as_), ("against", against), ("function", function)):
        if text is not None and len(text) > 16_384:
            raise ValueError(f"{option} has {len(text)} characters: give 16384 at most")
    if not sys.executable:
        raise RuntimeError("Python does not know where it is (sys.executable), and judge starts it")
    # Files of the current folder must not be taken for Python's own.
    paths = [path for path in sys.path if path]
    code = f"import sys; sys.path[:] = {paths!r}; from ptx_conformance.__main__ import main; sys.exit(main())"
    with tempfile.TemporaryDirectory() as folder:
        words = ["judge", os.path.join(os.path.dirname(file) or ".", os.path.basename(file)), "--out", folder]
        for option, value in (("--function", function), ("--as", as_), ("--against", against)):
            if value is not None:
                words += [option, os.fspath(value)]
        command = [sys.executable, "-c", code, *words, *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        report = Path(folder) / "report.json"
        if done.returncode not in (0, 1) or not report.exists():
            said = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
            raise ValueError(said[-1].removeprefix("error: ") if said else done.stderr or done.stdout)
        return Report(report.read_text())


@dataclass(frozen=True, eq=False)
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


def sweeps(name: str | Variant) -> dict[str, int | None]:
    """Returns the sweeps of a variant with their numbers of vectors; ``None`` for sweeps without an end.

    >>> "midpoint" in sweeps("fma.rn.f16")
    True
    """
    return dict(_native.sweep_lengths(variant(name).name))


#: The most vectors that are made at once.
MOST_VECTORS = 1 << 24


def vectors(
    name: str | Variant, *, sweep: str | None = None, count: int = 10_000, first: int = 0, seed: int = 0
) -> Vectors:
    """Returns vectors of a sweep with the results that are expected of them.

    Args:
        name: A variant.
        sweep: What the vectors are about: one of `sweeps`. Default: ``"midpoint"``, or the variant's first sweep.
        count: How many vectors, 2^24 at most; each has an element for each lane.
        first: The number of the first vector.
        seed: The seed of random vectors.

    Raises:
        ValueError: If there is no such variant or sweep, or if the sweep has fewer vectors.

    >>> v = vectors("fma.rn.f16", sweep="midpoint", count=4)
    >>> [array.shape for array in v.operands], v.expected[0].dtype
    ([(4,), (4,), (4,)], dtype('float16'))
    """
    of = variant(name)
    lengths = sweeps(of)
    chosen = sweep if sweep is not None else "midpoint" if "midpoint" in lengths else next(iter(lengths))
    if chosen not in lengths:
        raise ValueError(f"{of.name} has no sweep {str(chosen)[:40]!r}; its sweeps: {', '.join(lengths)}")
    count = _whole(count, "count", 1, MOST_VECTORS)
    first = _whole(first, "first", 0, 2**64 - 1 - MOST_VECTORS)
    length = lengths[chosen]
    if length is not None and first + count > length:
        raise ValueError(f"sweep {chosen!r} of {of.name} has {length} vectors, and {first} to {first + count} are asked for")
    operands, expected = _native.vectors(of.name, chosen, first, count, _whole(seed, "seed", 0, 2**64 - 1))
    return Vectors(
        of,
        tuple(values_of(b.view(e.storage), e) for b, e in zip(operands, of.inputs, strict=True)),
        tuple(values_of(b.view(e.storage), e) for b, e in zip(expected, of.outputs, strict=True)),
    )


def explain(name: str | Variant, *operands: Any) -> str:
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
    wanted = ", ".join(map(str, of.inputs))
    if of.lanes > 1:
        raise TypeError(
            f"{of.name} has {of.lanes} lanes: explain takes variants of one, such as that of one element; "
            "`conformance explain` takes registers"
        )
    if len(operands) != len(of.inputs):
        raise TypeError(f"{of.name} takes {wanted}, and {len(operands)} numbers were given")
    words = [_word(value, element, number) for number, (value, element) in enumerate(zip(operands, of.inputs, strict=True))]
    return _native.explanation(of.name, words)


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
