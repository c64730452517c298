"""Elements of arrays: which dtype stands for which format, and how values become bits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Array = NDArray[Any]

#: The dtypes of the formats that have one, by the names of the formats.
DTYPES: dict[str, np.dtype[Any]] = {
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "e4m3fnuz": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "e5m2fnuz": np.dtype(ml_dtypes.float8_e5m2fnuz),
    "e4m3b11fnuz": np.dtype(ml_dtypes.float8_e4m3b11fnuz),
    "e4m3ieee": np.dtype(ml_dtypes.float8_e4m3),
    "e3m4": np.dtype(ml_dtypes.float8_e3m4),
    "e2m3": np.dtype(ml_dtypes.float6_e2m3fn),
    "e3m2": np.dtype(ml_dtypes.float6_e3m2fn),
    "e2m1": np.dtype(ml_dtypes.float4_e2m1fn),
    "ue8m0": np.dtype(ml_dtypes.float8_e8m0fnu),
}


@dataclass(frozen=True)
class Element:
    """The elements of one array: what one lane of a variant takes or gives.

    Attributes:
        names: Registers of the manual's syntax line that hold the elements.
        format: Name of the format, such as ``"bf16"``.
        bits: Number of bits of an element. An array has 8, 16, 32 or 64 for each.
        shared: Whether all lanes of a row share one element.
        dtype: The dtype of arrays. Unsigned integers of the same width are taken as bits.
    """

    names: tuple[str, ...]
    format: str
    bits: int
    shared: bool
    dtype: np.dtype[Any]

    @property
    def storage(self) -> np.dtype[Any]:
        """The unsigned dtype in which the native module has the bits."""
        width = max(8, 1 << (self.bits - 1).bit_length())
        return np.dtype(f"<u{width // 8}")

    @property
    def shift(self) -> int:
        """How many low bits of an element of `dtype` do not belong to the format: 13 for tf32 in f32."""
        return 13 if self.format == "tf32" else 0

    def __str__(self) -> str:
        return f"{'|'.join(self.names)}: {self.format}"


def element(names: list[str], format: str, kind: str, bits: int, shared: bool) -> Element:
    """Returns the elements of a format; `kind` is what the native module calls it."""
    width = max(8, 1 << (bits - 1).bit_length())
    dtype: np.dtype[Any]
    if kind == "predicate":
        dtype = np.dtype(np.bool_)
    elif kind == "signed integer":
        dtype = np.dtype(f"i{width // 8}")
    elif format == "tf32":
        dtype = np.dtype(np.float32)
    else:
        dtype = DTYPES.get(format, np.dtype(f"u{width // 8}"))
    return Element(tuple(names), format, bits, shared, dtype)


def format_element(name: str, format: str) -> Element:
    """Returns the elements of a floating-point format that has a dtype, or of tf32."""
    bits = {"tf32": 19, "e2m1": 4, "e2m3": 6, "e3m2": 6}.get(format, 0)
    if not bits and format[0] in "su" and format[1:].isdigit():
        kind = "signed integer" if format[0] == "s" else "unsigned integer"
        return element([name], format, kind, int(format[1:]), False)
    return element([name], format, "number", bits or 8 * DTYPES[format].itemsize, False)


def bits_of(value: object, element: Element, what: str) -> Array:
    """Returns the bits of some elements, as an array of `element.storage` of the same shape.

    Python's numbers, and lists of them, must be values of the format. Of tf32, whose elements are those of float32, the
    low 13 bits do not count.

    Raises:
        TypeError: If an array has neither the dtype of the elements nor is unsigned of their width.
        ValueError: If a number is no value of the format.
    """
    if _is_plain(value):
        return _exact(value, element, what)
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{what}: a masked array; give the elements that count, such as by .compressed()")
    if not isinstance(value, (np.ndarray, np.generic)) and hasattr(value, "__dlpack__"):
        try:
            value = np.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError) as error:
            raise TypeError(
                f"{what}: NumPy cannot read this array ({error}); give its bits as {element.storage.name}"
            ) from error
    array = np.asarray(value)
    native = array.dtype.newbyteorder("=")
    if native == element.dtype:
        # The bits of another byte order are those of this one, swapped.
        own = array.astype(native, copy=False)
        if element.dtype == np.bool_:
            return own.astype(np.uint8)
        storage = element.storage if not element.shift else np.dtype("<u4")
        bits = own.view(storage)
        return (bits >> element.shift).astype(element.storage) if element.shift else bits
    if native.kind == "u" and native.itemsize == element.storage.itemsize:
        bits = array.astype(element.storage, copy=False)
        if element.bits < 8 * element.storage.itemsize and bits.size and int(bits.max()) >> element.bits:
            raise ValueError(f"{what}: {element.format} has {element.bits} bits, and some elements have more")
        return bits
    wanted = " or ".join(dict.fromkeys([element.dtype.name, f"{element.storage.name} (as bits)"]))
    if element.dtype == element.storage:
        wanted = element.dtype.name
    given = "objects" if array.dtype == object else f"of dtype {array.dtype}"
    raise TypeError(f"{what}: the elements are {given}, and {element.format} is wanted: {wanted}")


def _is_plain(value: object) -> bool:
    """Whether a value is a number of Python, or lists and tuples of nothing else."""
    if isinstance(value, (list, tuple)):
        return all(_is_plain(one) for one in value)
    return isinstance(value, (bool, int, float)) and not isinstance(value, np.generic)


def _exact(value: object, element: Element, what: str) -> Array:
    """Returns the bits of numbers of Python, none of which is rounded."""
    numbers = np.asarray(value, dtype=object)
    converted = np.empty(numbers.shape, element.dtype)
    for place, number in np.ndenumerate(numbers):
        try:
            converted[place] = _converted(number, element)
        except (OverflowError, ValueError):
            raise ValueError(
                f"{what}: {str(number)[:40]} is no value of {element.format}; round it first, such as by "
                f"numpy.asarray(…, dtype={element.dtype.name!r})"
            ) from None
    return bits_of(converted, element, what)


def _converted(number: Any, element: Element) -> Any:
    """Returns a number in the dtype of the elements.

    Raises:
        OverflowError, ValueError: If that is another number.
    """
    if element.dtype.kind in "iub":
        whole = int(number)
        limits = (0, 1) if element.dtype.kind == "b" else (np.iinfo(element.dtype).min, np.iinfo(element.dtype).max)
        if whole != number or not limits[0] <= whole <= limits[1]:
            raise ValueError
        return whole
    nearest = float(number)
    # What does not fit differs when it is converted back.
    with np.errstate(over="ignore", invalid="ignore"):
        one = np.float64(nearest).astype(element.dtype)
        back = float(one)
    if math.isnan(number):
        if math.isnan(back):
            return one
    elif nearest == number and back == nearest and math.copysign(1, back) == math.copysign(1, nearest):
        return one
    raise ValueError


def values_of(bits: Array, element: Element) -> Array:
    """Returns elements of some bits, in the dtype of the format."""
    if element.shift:
        bits = bits.astype("<u4") << element.shift
    if element.dtype == np.bool_:
        return bits.astype(np.bool_)
    return bits.view(element.dtype)


def shown(bits: int, element: Element) -> str:
    """Returns an element in words: its bits and its value."""
    value = values_of(np.array([bits], element.storage), element)[0]
    return f"{bits:#0{2 + math.ceil(element.bits / 4)}x} ({value})"
