"""Results of the suite's own implementation, and arrays as it has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _native
from ._elements import DTYPES, Array, Bytes, bits_of, values_of
from ._variants import Variant, variant

#: The largest number of elements that is copied at a time, where arrays are not contiguous.
CHUNK = 1 << 22


class Operands:
    """Operands of a variant, broadcast to one shape.

    Attributes:
        shape: The shape of the results.
        rows: How many rows of registers there are. Where elements do not fill the last one, its last element is repeated.
    """

    def __init__(self, variant: Variant, values: Sequence[object]) -> None:
        if len(values) != len(variant.inputs):
            count = len(variant.inputs)
            wanted = ", ".join(map(str, variant.inputs))
            raise TypeError(
                f"{variant.name} takes {count} {'array' if count == 1 else 'arrays'} ({wanted}), and {len(values)} were given"
            )
        self.variant = variant
        bits = [
            bits_of(value, of, f"operand {number} of {variant.name}")
            for number, (value, of) in enumerate(zip(values, variant.inputs, strict=True))
        ]
        own = [array for array, of in zip(bits, variant.inputs, strict=True) if not of.shared]
        try:
            self.shape: tuple[int, ...] = np.broadcast_shapes(*(array.shape for array in own))
        except ValueError:
            shapes = ", ".join(str(array.shape) for array in own)
            raise ValueError(f"operands of shapes {shapes} cannot be broadcast together") from None
        self.size = math.prod(self.shape)
        self.rows = -(-self.size // variant.lanes)
        self._arrays = [
            self._shared(array) if of.shared else np.broadcast_to(array, self.shape)
            for array, of in zip(bits, variant.inputs, strict=True)
        ]

    @property
    def is_contiguous(self) -> bool:
        """Whether the native module can be given all operands without a copy."""
        full = self.rows * self.variant.lanes == self.size
        return full and all(array.flags.c_contiguous for array in self._arrays)

    def _shared(self, array: Array) -> Array:
        """Returns an array that has one element for each row."""
        if array.size == self.rows:
            return array.reshape(-1)
        if array.size == 1:
            return np.broadcast_to(array.reshape(-1), (self.rows,))
        raise ValueError(
            f"{self.variant.lanes} lanes of {self.variant.name} share an element, so {self.rows} are wanted "
            f"for results of shape {self.shape}; {array.size} were given"
        )

    def bytes(self, first: int, end: int) -> list[Bytes]:
        """Returns the operands of some rows as the native module takes them."""
        return [
            _bytes(array, first, end, 1 if of.shared else self.variant.lanes)
            for array, of in zip(self._arrays, self.variant.inputs, strict=True)
        ]


def _bytes(array: Array, first: int, end: int, lanes: int) -> Bytes:
    """Returns the bytes of the elements of some rows. Nothing is copied of an array that is contiguous."""
    begin, stop = first * lanes, end * lanes
    if array.flags.c_contiguous:
        part = array.reshape(-1)[begin:stop]
    else:
        part = np.asarray(array.flat[begin : min(stop, array.size)])
    lacking = stop - begin - part.size
    if lacking > 0:
        part = np.concatenate([part, np.repeat(part[-1:], lacking)])
    return np.ascontiguousarray(part).view(np.uint8)


def result_bytes(variant: Variant, results: object, operands: Operands) -> list[Bytes]:
    """Returns results that somebody has as the native module takes them.

    Raises:
        TypeError: If there are more arrays or fewer than the variant has results, or if they have other dtypes.
        ValueError: If they have another shape than the operands broadcast to.
    """
    several = results if isinstance(results, tuple) else (results,)
    if len(several) != len(variant.outputs):
        raise TypeError(
            f"{variant.name} gives ({', '.join(map(str, variant.outputs))}), and {len(several)} arrays were given"
        )
    arrays = []
    for number, (value, of) in enumerate(zip(several, variant.outputs, strict=True)):
        what = f"result {number} of {variant.name}"
        if isinstance(value, (int, float, list)):
            raise TypeError(f"{what} is a {type(value).__name__}: an array of {of.dtype.name} is wanted")
        bits = bits_of(value, of, what)
        if bits.shape != operands.shape:
            raise ValueError(f"{what} has the shape {bits.shape}, and {operands.shape} is wanted")
        arrays.append(_bytes(bits, 0, operands.rows, variant.lanes))
    return arrays


def compute(name: str | Variant, *operands: Any) -> Any:
    """Computes what PTX asks of an instruction, bit for bit.

    Approximations give the correctly rounded result. Where the manual leaves a result open, the first of the
    interpretations is computed that `conformance list --relaxations` prints.

    Args:
        name: A variant, such as ``"fma.rn.bf16"``.
        operands: An array for each of the variant's inputs, of any shape, broadcast as NumPy's ufuncs do. They have the
            dtype of the format, or unsigned integers of its width as bits. A number of Python must be a value of the
            format. Packed instructions work element by element as well: element 0 is the low half of a pair.

    Returns:
        An array of the broadcast shape, or a tuple of arrays if the variant has several results.

    Raises:
        ValueError: If there is no such variant, if shapes do not fit, or if a number is no value of the format.
        TypeError: If there are other than the variant's operands, or of other dtypes.

    >>> import numpy as np
    >>> compute("fma.rn.f16", np.float16([1.5, 2]), 2.0, 0.25)
    array([3.25, 4.25], dtype=float16)
    >>> compute("cvt.rn.satfinite.e4m3x2.f32", np.float32([0.3, 1000])).tolist()
    [0.3125, 448.0]
    """
    of = variant(name)
    given = Operands(of, operands)
    if given.is_contiguous or given.rows * of.lanes <= CHUNK:
        # Nothing large has to be copied.
        computed = _native.compute(of.name, given.bytes(0, given.rows))
        results = [part.view(element.storage)[: given.size] for part, element in zip(computed, of.outputs, strict=True)]
    else:
        results = [np.empty(given.size, element.storage) for element in of.outputs]
        step = max(1, CHUNK // of.lanes)
        for first in range(0, given.rows, step):
            end = min(first + step, given.rows)
            begin, stop = first * of.lanes, min(end * of.lanes, given.size)
            for result, part in zip(results, _native.compute(of.name, given.bytes(first, end)), strict=True):
                result[begin:stop] = part.view(result.dtype)[: stop - begin]
    arrays = [
        values_of(bits, element).reshape(given.shape)[()]
        for bits, element in zip(results, of.outputs, strict=True)
    ]
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


def cast(x: Any, format: str, *, rounding: str = "rn", saturate: bool = False) -> Any:
    """Converts an array to a format, rounded once.

    Args:
        x: Floating-point numbers or integers of any dtype that the suite has casts from, such as float64 or bfloat16.
        format: A format, such as ``"e4m3"``, ``"e2m1"`` or ``"bf16"``.
        rounding: ``"rn"`` (to nearest, ties to even), ``"rz"``, ``"rm"``, ``"rp"`` or ``"rna"`` (ties away from zero), as
            far as the suite has such a cast.
        saturate: Whether what is too large becomes the largest number.

    Raises:
        ValueError: If the suite has no such cast, with the names that are similar.

    >>> import numpy as np
    >>> cast(np.array([1 + 2**-8 + 2**-40]), "bf16").tolist()
    [1.0078125]
    """
    if format not in DTYPES and not _is_own(format):
        raise ValueError(f"there is no format {str(format)[:40]!r}; the formats: {', '.join(DTYPES)}")
    array = x if isinstance(x, (np.ndarray, np.generic)) else np.asarray(x)
    source = source_format(array.dtype)
    suffix = f"{format}.{source}"
    # PTX has the casts between its own formats under another name.
    for rounded in (f"{rounding}.satfinite", rounding) if saturate else (rounding,):
        for name in (f"cast.{rounded}.{suffix}", f"cvt.{rounded}.{suffix}"):
            if (rounded.endswith("satfinite") or not saturate) and _exists(name):
                return compute(name, array)
    # Casts to a wider format round nothing, and nothing is too large for it.
    for name in (f"cast.{suffix}", f"cvt.{suffix}"):
        if _exists(name):
            return compute(name, array)
    has = [
        (mode, saturates)
        for mode in ("rn", "rna", "rz", "rm", "rp")
        for saturates in (False, True)
        if any(_exists(f"{kind}.{mode}{'.satfinite' if saturates else ''}.{suffix}") for kind in ("cast", "cvt"))
    ]
    possible = "; ".join(f"rounding={mode!r}, saturate={saturates}" for mode, saturates in has)
    raise ValueError(
        f"there is no cast from {source} to {format} with rounding={rounding!r}, saturate={saturate}; "
        + (f"there are: {possible}" if has else f"there is none from {source}: convert to float64 first, if that is exact")
    )


def _exists(name: str) -> bool:
    """Whether there is a variant of a name."""
    try:
        variant(name)
    except ValueError:
        return False
    return True


def _is_own(format: str) -> bool:
    """Whether a format without a dtype has casts: tf32 has."""
    return format == "tf32"


def source_format(dtype: np.dtype[Any]) -> str:
    """Returns the format of a dtype.

    Raises:
        TypeError: If no format has it.
    """
    native = dtype.newbyteorder("=")
    for name, own in DTYPES.items():
        if own == native:
            return name
    if native.kind in "iu":
        return f"{'s' if native.kind == 'i' else 'u'}{8 * native.itemsize}"
    raise TypeError(f"no format of the suite has the dtype {dtype}: {', '.join(dtype.name for dtype in DTYPES.values())}")
