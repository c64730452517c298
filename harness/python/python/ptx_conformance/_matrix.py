"""Matrix products as tensor cores compute them."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native
from ._compute import source_format
from ._elements import Array, bits_of, format_element, values_of


def mma(
    target: str,
    a: Any,
    b: Any,
    c: Any = None,
    *,
    type: str | None = None,
    accumulator: str | None = None,
    name: str | None = None,
) -> Array:
    """Computes ``a @ b + c`` bit for bit as the tensor cores of a target do.

    How long the sums of one instruction are, in which order and width their products are added, and how often a sum is
    rounded differs between generations. The models are those that the suite holds hardware to.

    Args:
        target: A target, such as ``"sm_90a"``.
        a: A matrix of M × K elements.
        b: A matrix of K × N elements. K is a multiple of the length of a sum.
        c: A matrix of M × N elements, or a number of Python that each sum begins with. Default: +0.
        type: The format of the elements of `a` and `b`, such as ``"e4m3"``. Default: that of their dtypes.
        accumulator: The format of sums, ``"f32"``, ``"f16"`` or ``"f64"``. Default: that of the dtype of `c`, or else
            f64 for matrices of f64, and f32.
        name: A matrix instruction. Default: the target's dense ``mma`` of these formats that has the longest sums.

    Returns:
        A matrix of M × N elements of the format of the instruction's D.

    Raises:
        ValueError: If the target has no such instruction, if nobody knows what it computes, or if shapes do not fit.
        TypeError: If dtypes do not fit.

    >>> import numpy as np
    >>> ones = np.ones((1, 16), np.float16)
    >>> mma("sm_90a", ones, ones.T, np.float32([[0.5]]))
    array([[16.5]], dtype=float32)
    """
    if name is None:
        kind_a, kind_b = (type or source_format(np.asarray(matrix).dtype) for matrix in (a, b))
        sums = accumulator
        if sums is None and isinstance(c, (np.ndarray, np.generic)):
            sums = source_format(c.dtype)
        if sums is None:
            sums = "f64" if kind_a == "f64" else "f32"
        try:
            name, formats, length = _native.matrix(target, None, kind_a, kind_b, sums)
        except ValueError as error:
            hint = "give the format of bits, such as type='e4m3', or type='tf32' for float32; sums are those of accumulator="
            raise ValueError(f"{error}: {hint}") from None
    else:
        name, formats, length = _native.matrix(target, name, None, None, None)
    elements = [format_element(name, format) for name, format in zip("abcd", formats, strict=True)]
    bits_a = bits_of(a, elements[0], "matrix a")
    bits_b = bits_of(b, elements[1], "matrix b")
    if bits_a.ndim != 2 or bits_b.ndim != 2 or bits_a.shape[1] != bits_b.shape[0]:
        raise ValueError(
            f"matrices of shapes {bits_a.shape} and {bits_b.shape} have no product: M × K and K × N are wanted"
        )
    (rows, terms), columns = bits_a.shape, bits_b.shape[1]
    if terms == 0 or terms % length:
        raise ValueError(f"{name} adds {length} products, and K is {terms}: fill up with zeros to a multiple of {length}")
    bits_c = bits_of(0.0 if c is None else c, elements[2], "matrix c")
    if bits_c.shape not in ((), (rows, columns)):
        raise ValueError(f"matrix c has the shape {bits_c.shape}, and {(rows, columns)} is wanted")
    arrays = [bits_a, bits_b.T, np.broadcast_to(bits_c, (rows, columns))]
    flat = [np.ascontiguousarray(array).reshape(-1).view(np.uint8) for array in arrays]
    product = _native.matrix_product(target, name, flat, rows, columns, terms)
    return values_of(product.view(elements[3].storage), elements[3]).reshape(rows, columns)
