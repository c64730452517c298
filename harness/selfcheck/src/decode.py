"""Writes decode.txt: what two libraries say every encoding of the small formats stands for.

    python3 -m venv venv && venv/bin/pip install ml_dtypes==0.6.0 gfloat==0.5.2 numpy
    venv/bin/python decode.py > decode.txt

A value is `0`, `-0`, `inf`, `-inf`, `nan`, or an odd integer times a power of two: `-7p-9`.
Where both libraries have a format they have to agree on all of it, or nothing is written.
"""

import math

import gfloat
import ml_dtypes
import numpy
from gfloat import formats

# Our name, ml_dtypes' type, gfloat's description.
TABLES = [
    ("e4m3", ml_dtypes.float8_e4m3fn, formats.format_info_ocp_e4m3),
    ("e5m2", ml_dtypes.float8_e5m2, formats.format_info_ocp_e5m2),
    ("e4m3fnuz", ml_dtypes.float8_e4m3fnuz, None),
    ("e5m2fnuz", ml_dtypes.float8_e5m2fnuz, None),
    ("e4m3ieee", ml_dtypes.float8_e4m3, None),
    ("e3m4", ml_dtypes.float8_e3m4, None),
    ("e4m3b11fnuz", ml_dtypes.float8_e4m3b11fnuz, None),
    ("e2m3", ml_dtypes.float6_e2m3fn, formats.format_info_ocp_e2m3),
    ("e3m2", ml_dtypes.float6_e3m2fn, formats.format_info_ocp_e3m2),
    ("e2m1", ml_dtypes.float4_e2m1fn, formats.format_info_ocp_e2m1),
    ("ue8m0", ml_dtypes.float8_e8m0fnu, formats.format_info_ocp_e8m0),
    # OCP MX's INT8 is an integer with an implied scale of 2^-6, which PTX calls s2f6.
    ("s2f6", None, formats.format_info_ocp_int8),
]


def text(value):
    """An exact text of a double."""
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    numerator, denominator = value.as_integer_ratio()
    exponent = 1 - denominator.bit_length()
    while numerator % 2 == 0:
        numerator, exponent = numerator // 2, exponent + 1
    return f"{numerator}p{exponent}"


def by_ml_dtypes(dtype):
    bits = ml_dtypes.finfo(dtype).bits
    codes = numpy.arange(1 << bits, dtype=numpy.uint8)
    return [text(float(value)) for value in codes.view(dtype).astype(numpy.float64)]


def by_gfloat(info):
    return [text(float(gfloat.decode_float(info, code).fval)) for code in range(1 << info.k)]


def main():
    print(f"# Every encoding of the small formats, in order, by ml_dtypes {ml_dtypes.__version__} and")
    print("# gfloat 0.5.2 (Python packages), which")
    print("# agree where both have a format. Written by decode.py, where the notation is explained.")
    for name, dtype, info in TABLES:
        tables, origins = [], []
        if dtype is not None:
            tables.append(by_ml_dtypes(dtype))
            origins.append(f"ml_dtypes.{dtype.__name__}")
        if info is not None:
            tables.append(by_gfloat(info))
            origins.append(f"gfloat.{info.name}")
        assert all(table == tables[0] for table in tables), name
        print(f"[{name}] {' '.join(origins)}")
        for start in range(0, len(tables[0]), 16):
            print(" ".join(tables[0][start : start + 16]))


main()
