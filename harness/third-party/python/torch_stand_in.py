"""A small stand-in for the package torch, on numpy: no more of it than what MMA-Sim calls, for tensors on
the processor. `install` makes it the module that `import torch` finds.

Where numpy and torch differ, this does as torch: integers and numbers of 32 bits give numbers of 32 bits,
and a power of two is exact.
"""

import sys
import types
from pathlib import Path
from typing import NamedTuple

import ml_dtypes
import numpy

DTYPES = {
    "uint8": "u1", "uint16": "u2", "uint32": "u4", "int16": "i2", "int32": "i4",
    "float16": "f2", "float32": "f4", "float64": "f8", "bfloat16": ml_dtypes.bfloat16,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn, "float8_e5m2": ml_dtypes.float8_e5m2,
    "float8_e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "float8_e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "float8_e8m0fnu": ml_dtypes.float8_e8m0fnu,
}  # fmt: skip
DTYPES = {name: numpy.dtype(dtype) for name, dtype in DTYPES.items()}
SINGLE, DOUBLE = DTYPES["float32"], DTYPES["float64"]


class Extremes(NamedTuple):
    """What a reduction along a dimension gives; nobody asks for the places."""

    values: "Tensor"


def tensor_of(array):
    """An array as a tensor."""
    return numpy.asarray(array).view(Tensor)


def single(array):
    """Integers as torch's arithmetic with numbers takes them: numbers of 32 bits."""
    array = numpy.asarray(array)
    return array.astype(SINGLE) if array.dtype.kind in "iub" else array


class Tensor(numpy.ndarray):
    """An array with the methods of a tensor that are called."""

    is_cuda = False
    device = "cpu"

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        """Arithmetic on arrays. In torch integers do not widen numbers."""
        arrays = [each.view(numpy.ndarray) if isinstance(each, Tensor) else each for each in inputs]
        tensors = [each for each in arrays if isinstance(each, numpy.ndarray)]
        if any(each.dtype.kind == "f" for each in tensors):
            arrays = [single(each) if isinstance(each, numpy.ndarray) else each for each in arrays]
        if out is not None:
            options["out"] = tuple(each.view(numpy.ndarray) for each in out)
        result = getattr(ufunc, method)(*arrays, **options)
        if out is not None:
            return out[0]
        several = isinstance(result, tuple)
        return tuple(map(tensor_of, result)) if several else tensor_of(result)

    def view(self, *shape):
        """Other numbers of the same bits, or another shape."""
        if shape and isinstance(shape[0], tuple):
            return self.reshape(shape[0])
        if shape and isinstance(shape[0], int):
            return self.reshape(shape)
        return super().view(*shape)

    def __getitem__(self, place):
        """An element is a tensor too, without dimensions."""
        return tensor_of(super().__getitem__(place))

    def to(self, dtype):
        """As numbers of a type; the device is the one that there is."""
        return self if isinstance(dtype, str) else self.astype(dtype)

    def cpu(self):
        return self

    def float(self):
        return self.astype(SINGLE)

    def double(self):
        return self.astype(DOUBLE)

    def int(self):
        return self.astype("i4")

    def abs(self):
        return tensor_of(numpy.abs(self.view(numpy.ndarray)))

    def numel(self):
        return self.size

    def contiguous(self):
        return numpy.ascontiguousarray(self).view(Tensor)

    def data_ptr(self):
        return self.ctypes.data

    def unsqueeze(self, dim):
        return tensor_of(numpy.expand_dims(self, dim))

    def isnan(self):
        return tensor_of(numpy.isnan(self.view(numpy.ndarray)))

    def clamp(self, min):
        return tensor_of(numpy.maximum(self, self.dtype.type(min)))

    def max(self, dim):
        return Extremes(tensor_of(numpy.ndarray.max(self, axis=dim)))

    def sum(self, dim=None):
        """In the order of the elements, which is numpy's business and makes no difference where a sum of
        numbers is exact; of infinities and NaN it makes none either."""
        return tensor_of(numpy.add.reduce(self.view(numpy.ndarray), axis=dim))

    def all(self, dim=None):
        return tensor_of(numpy.logical_and.reduce(self.view(numpy.ndarray), axis=dim))

    def any(self, dim=None):
        return tensor_of(numpy.logical_or.reduce(self.view(numpy.ndarray), axis=dim))


def exp2(e):
    """Of whole numbers, all that it is called with: exact, which numpy's own function need not be."""
    e = e.view(numpy.ndarray)
    one = numpy.ones((), DOUBLE if e.dtype == DOUBLE else SINGLE)
    return tensor_of(numpy.ldexp(one, e.astype("i4")))


def frexp(x):
    """Significands of half to one, and exponents of 32 bits."""
    s, e = numpy.frexp(x.view(numpy.ndarray))
    return tensor_of(s), tensor_of(e.astype("i4"))


def tensor(data, dtype=None):
    """A tensor of Python's numbers; those with a point have 32 bits unless it is said."""
    array = numpy.asarray(data, dtype=dtype)
    return tensor_of(array if dtype or array.dtype != DOUBLE else array.astype(SINGLE))


def elementwise(function):
    """A function of tensors."""
    return lambda x, *rest: tensor_of(function(x.view(numpy.ndarray), *rest))


def cat(tensors, dim):
    return tensor_of(numpy.concatenate([numpy.asarray(each) for each in tensors], axis=dim))


def stack(tensors, dim):
    return tensor_of(numpy.stack([numpy.asarray(each) for each in tensors], axis=dim))


def where(condition, a, b):
    return tensor_of(numpy.where(condition, a, b))


def repeat_interleave(x, count, dim):
    return tensor_of(numpy.repeat(numpy.asarray(x), count, axis=dim))


FUNCTIONS = {
    "tensor": tensor, "cat": cat, "stack": stack, "where": where, "repeat_interleave": repeat_interleave,
    "exp2": exp2, "frexp": frexp, "trunc": elementwise(numpy.trunc), "round": elementwise(numpy.rint),
    "empty_like": elementwise(numpy.empty_like), "isnan": Tensor.isnan,
    "isinf": elementwise(numpy.isinf),
    "zeros": lambda shape, dtype=SINGLE: tensor_of(numpy.zeros(shape, dtype)),
}  # fmt: skip


def install(fused):
    """Makes this the module `torch`. `fused` is the path of the library with the fused operations of
    arrays, which torch would build on the way."""
    torch = types.ModuleType("torch")
    extension = types.ModuleType("torch.utils.cpp_extension")
    extension.load = lambda *names, **options: str(Path(fused))
    utils = types.ModuleType("torch.utils")
    utils.cpp_extension = extension
    torch.utils = utils
    torch.cuda = types.SimpleNamespace(is_available=lambda: False)
    torch.Tensor, torch.dtype = Tensor, numpy.dtype
    for name, value in (DTYPES | FUNCTIONS).items():
        setattr(torch, name, value)
    sys.modules |= {"torch": torch, "torch.utils": utils, "torch.utils.cpp_extension": extension}
    return torch
