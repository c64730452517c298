"""Matrix products."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ptx_conformance as pc

RANDOM = np.random.default_rng(1)


@pytest.mark.parametrize(("target", "dtype", "accumulator"), [
    ("sm_80", np.float16, "f32"),
    ("sm_80", ml_dtypes.bfloat16, "f32"),
    ("sm_80", np.float16, "f16"),
    ("sm_80", np.float64, "f64"),
    ("sm_90a", ml_dtypes.float8_e4m3fn, "f32"),
    ("sm_100a", ml_dtypes.float8_e5m2, "f32"),
])
def test_small_integers_are_added_exactly(target: str, dtype: type[Any], accumulator: str) -> None:
    a = RANDOM.integers(-4, 5, (5, 64)).astype(dtype)
    b = RANDOM.integers(-4, 5, (64, 7)).astype(dtype)
    c = RANDOM.integers(-9, 10, (5, 7))
    sums = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[accumulator]
    got = pc.mma(target, a, b, c.astype(sums), accumulator=accumulator)
    assert got.dtype == sums
    exact = a.astype(np.float64) @ b.astype(np.float64) + c
    np.testing.assert_array_equal(got.astype(np.float64), exact)


def test_generations_differ_in_what_they_cut_off() -> None:
    # 2^24 and a one: how many places below the largest product count?
    a = np.zeros((1, 16), np.float16)
    a[0, :2] = [4096, 1]
    b = np.zeros((16, 1), np.float16)
    b[:2, 0] = [4096, 0.5]
    kept = {target: float(pc.mma(target, a, b, np.float32([[-(2**24)]]))[0, 0]) for target in ("sm_80", "sm_90a")}
    assert set(kept.values()) <= {0.0, 0.5}
    rounded_last = pc.mma("sm_90a", a, b)
    assert rounded_last[0, 0] == 2**24


def test_bits_and_names_are_taken() -> None:
    a = np.full((2, 32), 0x38, np.uint8)  # 1 in e4m3
    got = pc.mma("sm_90a", a, a.T, type="e4m3")
    assert (got == 32).all()
    named = pc.mma("sm_90a", a, a.T, name="mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
    np.testing.assert_array_equal(got, named)


def test_what_cannot_be_multiplied_is_said() -> None:
    ones = np.ones((2, 16), np.float16)
    with pytest.raises(ValueError, match="have no product"):
        pc.mma("sm_90a", ones, ones)
    with pytest.raises(ValueError, match="adds 16 products, and K is 8"):
        pc.mma("sm_90a", ones[:, :8], ones.T[:8])
    with pytest.raises(ValueError, match="has no dense mma"):
        pc.mma("sm_70", ones.astype(np.float64), ones.T.astype(np.float64))
    with pytest.raises(ValueError, match="no matrix instruction"):
        pc.mma("sm_90a", ones, ones.T, name="fma.rn.f16")
    with pytest.raises(ValueError, match="matrix c has the shape"):
        pc.mma("sm_90a", ones, ones.T, np.zeros((3, 3), np.float32))
