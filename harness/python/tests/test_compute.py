"""`compute` and `cast` against exact fractions, and their conventions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from exact import BF16, E4M3, E5M2, F16, F32, Format

import ptx_conformance as pc

RANDOM = np.random.default_rng(0)


def drawn(count: int, dtype: type[Any]) -> np.ndarray[Any, Any]:
    """Random bits, none of which is NaN or infinite."""
    width = np.dtype(dtype).itemsize
    bits = RANDOM.integers(0, 1 << (8 * width), count, dtype=np.uint64).astype(f"u{width}")
    values = bits.view(dtype)
    with np.errstate(invalid="ignore"):
        return values[np.isfinite(values.astype(np.float64))]


@pytest.mark.parametrize(("name", "format", "dtype"), [
    ("fma.rn.f16", F16, np.float16),
    ("fma.rn.bf16", BF16, ml_dtypes.bfloat16),
    ("fma.rn.f32", F32, np.float32),
])
def test_fma_is_rounded_once(name: str, format: Format, dtype: type[Any]) -> None:
    values = drawn(3_000, dtype)
    count = len(values) // 3
    a, b, c = values[:count], values[count : 2 * count], values[2 * count : 3 * count]
    got = pc.compute(name, a, b, c).view(f"u{np.dtype(dtype).itemsize}")
    tried = 0
    for x, y, z, bits in zip(a, b, c, got, strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        if exact:
            tried += 1
            assert int(bits) == format.nearest(exact), (x, y, z)
    assert tried > count // 2


@pytest.mark.parametrize(("name", "format"), [("e4m3", E4M3), ("e5m2", E5M2)])
@pytest.mark.parametrize("saturate", [False, True])
def test_casts_are_rounded_once(name: str, format: Format, saturate: bool) -> None:
    values = np.exp2(RANDOM.uniform(-20, 18, 4_000)) * RANDOM.choice([-1, 1], 4_000)
    # Ties, and what is one part in 2^52 beside them.
    every = [format.value(bits) for bits in range(format.largest + 1)]
    ties = [
        float((low + high) / 2)
        for low, high in zip(every, every[1:], strict=False)
        if low is not None and high is not None
    ]
    near = np.array(ties)
    values = np.concatenate([values, near, np.nextafter(near, np.inf), np.nextafter(near, 0)])
    got = pc.cast(values, name, saturate=saturate).view(np.uint8)
    for value, bits in zip(values, got, strict=True):
        nearest = format.nearest(Fraction(float(value)), saturate)
        # Above the largest number e4m3 has NaN, whose sign is open.
        mask = 0x7F if format is E4M3 and nearest & 0x7F == 0x7F else 0xFF
        assert int(bits) & mask == nearest & mask, value


def test_arrays_are_broadcast_as_ufuncs_do() -> None:
    a = np.arange(6, dtype=np.float16).reshape(2, 3)
    got = pc.compute("fma.rn.f16", a, np.float16([1, 2, 3]), 0.5)
    assert got.shape == (2, 3) and got.dtype == np.float16
    np.testing.assert_array_equal(got, a * np.float16([1, 2, 3]) + np.float16(0.5))
    scalar = pc.compute("neg.f16", np.float16(1))
    assert scalar == -1 and scalar.shape == ()
    assert pc.compute("neg.f16", np.empty((0, 3), np.float16)).shape == (0, 3)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8])
def test_packed_instructions_work_element_by_element(count: int) -> None:
    x = np.linspace(-500, 500, count, dtype=np.float32)
    one = pc.compute("cvt.rn.satfinite.e4m3x2.f32", x)
    assert one.shape == (count,) and one.dtype == ml_dtypes.float8_e4m3fn
    np.testing.assert_array_equal(one.view(np.uint8), pc.cast(x, "e4m3", saturate=True).view(np.uint8))
    pairs = RANDOM.integers(0, 1 << 16, (count, 2), dtype=np.uint16)
    both = pc.compute("add.f16x2", pairs, pairs)
    np.testing.assert_array_equal(both, pc.compute("add.f16", pairs, pairs))


def test_lanes_may_share_an_operand() -> None:
    of = pc.variant("cvt.rs.satfinite.e4m3x4.f32")
    shared = [element.shared for element in of.inputs]
    assert shared.count(True) == 1, of
    x = np.full((3, 4), 1.03, np.float32)
    bits = RANDOM.integers(0, 1 << 32, 3, dtype=np.uint32)
    operands = [bits if is_shared else x for is_shared in shared]
    got = pc.compute(of.name, *operands)
    assert got.shape == (3, 4)
    assert set(got.astype(np.float32).reshape(-1)) <= {1.0, 1.125}
    with pytest.raises(ValueError, match="so 3 are wanted .*; 2 were given"):
        pc.compute(of.name, *[bits[:2] if is_shared else x for is_shared in shared])


def test_any_layout_of_memory_is_taken() -> None:
    x = RANDOM.standard_normal((40, 30)).astype(np.float32)
    wanted = pc.compute("cvt.rn.bf16.f32", x)
    x.flags.writeable = False
    for same in (x, np.asfortranarray(x), x.astype(">f4"), x.view(np.uint32), x[::1, ::1]):
        np.testing.assert_array_equal(pc.compute("cvt.rn.bf16.f32", same).view(np.uint16), wanted.view(np.uint16))
    strided = np.repeat(x, 2, axis=1)[:, ::2]
    np.testing.assert_array_equal(pc.compute("cvt.rn.bf16.f32", strided).view(np.uint16), wanted.view(np.uint16))


def test_large_arrays_are_computed_in_parts() -> None:
    x = np.full((1 << 23) + 5, 1.5, np.float32)
    got = pc.compute("fma.rn.f32", x, np.float32(2), np.float32(0.25))
    assert got.shape == x.shape and (got == 3.25).all()


def test_payloads_of_nan_are_kept() -> None:
    bits = np.array([0x7F800001, 0xFFC12345], np.uint32)
    np.testing.assert_array_equal(pc.compute("cvt.f32.f32", bits).view(np.uint32)[1:] & 0x7FFFFFFF, [0x7FFFFFFF])
    assert (pc.compute("neg.f32", bits).view(np.uint32) & 0x7FFFFFFF == 0x7FFFFFFF).all()


def test_predicates_are_booleans() -> None:
    got = pc.compute("setp.lt.f32", np.float32([1, 2]), np.float32([2, 1]))
    first = got[0] if isinstance(got, tuple) else got
    assert first.dtype == np.bool_ and first.tolist() == [True, False]


@pytest.mark.parametrize(("operands", "error", "words"), [
    ((np.float64([1]),), TypeError, "of dtype float64, and f32 is wanted: float32 or uint32 .as bits."),
    ((np.array(["a"], object),), TypeError, "the elements are objects"),
    ((np.ma.masked_array(np.float32([1]), mask=[True]),), TypeError, "a masked array"),
    ((np.float32([1]), np.float32([1])), TypeError, "takes 1 array .a: f32., and 2 were given"),
    ((0.1,), ValueError, "0.1 is no value of f32; round it first"),
    ((1e300,), ValueError, "is no value of f32"),
    ((2**24 + 1,), ValueError, "16777217 is no value of f32"),
    (([2**24 + 1, 0.5],), ValueError, "16777217 is no value of f32"),
    (("a",), TypeError, "and f32 is wanted"),
])
def test_what_is_wrong_is_said(operands: tuple[object, ...], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        pc.compute("neg.f32", *operands)


def test_numbers_of_python_are_never_rounded_or_wrapped() -> None:
    assert pc.compute("neg.f32", 2**70) == -(2.0**70)
    assert pc.compute("cvt.rn.f64.u64", [2**64 - 2**11, 1.0]).tolist() == [2.0**64 - 2**11, 1.0]
    for name, number in (("u64", -1), ("s64", 2**63), ("u64", 2**64), ("u32", -1), ("s32", 2**31), ("s32", 0.5)):
        with pytest.raises(ValueError, match=f"is no value of {name}"):
            pc.compute(f"cvt.rn.f64.{name}", number)
    minus_zero = pc.compute("neg.f32", -0.0)
    assert minus_zero == 0 and not np.signbit(minus_zero)
    # A list of NumPy's numbers is an array of theirs: unsigned ones are bits.
    assert pc.compute("neg.f16", [np.uint16(0x3C00)]).tolist() == [-1.0]


def test_casts_say_what_there_is() -> None:
    with pytest.raises(ValueError, match="with rounding='rn', saturate=False; there are: rounding='rn', saturate=True"):
        pc.cast(np.float64([1]), "e2m1")
    with pytest.raises(ValueError, match="there is no format 'bfloat16'; the formats: f16, f32"):
        pc.cast(np.float64([1]), "bfloat16")
    assert pc.cast(np.float32([1e30]), "f64", saturate=True).tolist() == [float(np.float32(1e30))]


def test_what_is_too_large_for_memory_is_refused_at_once() -> None:
    one = np.float16(1)
    with pytest.raises(MemoryError):
        pc.compute("fma.rn.f16", np.broadcast_to(one, (10**9, 1)), np.broadcast_to(one, (1, 10**9)), 1.0)


def test_variants_stand_for_their_names() -> None:
    of = pc.variant("neg.f16")
    assert pc.compute(of, 1.0) == -1 and pc.variants([of]) == [of]
    assert pc.check(of, np.float16([-1]), np.float16([1])).passed
    with pytest.raises(ValueError, match="no variant is named"):
        pc.variants([])
    with pytest.raises(TypeError, match="named by a str"):
        pc.compute(None, 1.0)  # type: ignore[arg-type]


def test_names_that_do_not_exist_have_neighbours() -> None:
    with pytest.raises(ValueError, match="fma.rn.bf16"):
        pc.compute("fma.rn.bf61", 1.0, 1.0, 1.0)
    with pytest.raises(TypeError, match="has the dtype"):
        pc.cast(np.array(["a"]), "e4m3")
    with pytest.raises(ValueError, match="sm_12"):
        pc.variants("fma.*", target="sm_12")
    with pytest.raises(ValueError, match="cannot be broadcast"):
        pc.compute("add.f32", np.zeros(2, np.float32), np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="has 4 bits, and some"):
        pc.compute("cast.f32.e2m1", np.array([16], np.uint8))
