"""Judging arrays and functions."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ptx_conformance as pc


def through_f32(x: Any) -> Any:
    """A cast that rounds twice, as those of many libraries do."""
    with np.errstate(all="ignore"):
        return x.astype(np.float32).astype(ml_dtypes.bfloat16)


def test_the_double_rounding_of_a_cast_is_found_and_named() -> None:
    report = pc.run(through_f32, "cvt.rn.bf16.f64")
    assert not report and report.mismatches > 0
    assert any("f32" in cause and "double rounding" in cause for cause in report.causes), report
    assert "through_f32" in str(report) and "double rounding" in report._repr_html_()


def test_a_right_function_passes() -> None:
    report = pc.run(lambda a, b: pc.compute("add.f16", a, b), "add.f16")
    assert report and report.mismatches == 0 and report.vectors > 1_000
    report.raise_for_mismatches()


def test_arrays_are_judged_as_functions_are() -> None:
    v = pc.vectors("fma.rn.f16", sweep="double-rounding", count=20_000)
    right = pc.compute("fma.rn.f16", *v.operands)
    np.testing.assert_array_equal(right.view(np.uint16), v.expected[0].view(np.uint16))
    assert pc.check("fma.rn.f16", right, *v.operands).passed
    a, b, c = (x.astype(np.float32) for x in v.operands)
    with np.errstate(all="ignore"):
        rounded_twice = (a * b + c).astype(np.float16)
    report = pc.check("fma.rn.f16", rounded_twice, *v.operands)
    assert report.mismatches > 0
    assert any("double rounding" in cause for cause in report.causes), report
    with pytest.raises(AssertionError, match="double rounding"):
        report.raise_for_mismatches()


def test_every_permitted_result_passes() -> None:
    x = np.float32([1e-3, 0.5, 3, -20])
    near = np.nextafter(pc.compute("ex2.approx.f32", x), np.float32(0))
    assert pc.check("ex2.approx.f32", near, x).passed
    far = np.float32(pc.compute("ex2.approx.f32", x) * np.float32(1.001))
    assert pc.check("ex2.approx.f32", far, x).mismatches >= 3


def test_all_of_many_rows_are_counted() -> None:
    x = np.arange(1 << 18, dtype=np.uint32) << 14
    right = pc.compute("cvt.rn.bf16.f32", x).view(np.uint16)
    # Truncated, but for NaN.
    results = np.where(x & 0x7FFFFFFF > 0x7F800000, right, x >> 16).astype(np.uint16)
    report = pc.check("cvt.rn.bf16.f32", results, x)
    assert report.vectors == x.size and report.mismatches == np.count_nonzero(results != right)
    assert sum(one.count for one in report.classes) == report.mismatches
    assert any("truncated" in cause for cause in report.causes), report
    assert any("Causes were looked for in" in text for text in report.to_dict()["reduced"])


def test_reports_are_saved(tmp_path: Any) -> None:
    report = pc.check("neg.f16", np.float16([1]), np.float16([1]))
    report.save(tmp_path / "report.json")
    assert '"checksum"' in (tmp_path / "report.json").read_text()
    assert report.to_dict()["totals"] and report.classes[0].count == 1
    assert report.classes[0].simplest["actual"][0]["bits"]
    assert repr(report) == "<Report: 1 mismatch in 1 vector>"


class Raised(Exception):
    pass


def raises(_: Any) -> Any:
    raise Raised("as it is")


@pytest.mark.parametrize(("function", "error", "words"), [
    (raises, Raised, "as it is"),
    (lambda x: x.astype(np.float64), TypeError, "of dtype float64"),
    (lambda x: x[:-1], ValueError, "has the shape"),
    (lambda x: (x, x), TypeError, "and 2 arrays were given"),
    (lambda x: 1.0, TypeError, "is a float"),
])
def test_what_a_function_does_wrong_is_said(function: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        pc.run(function, "neg.f16")


def test_a_function_may_change_what_it_is_given() -> None:
    def negated(x: Any) -> Any:
        bits = x.view(np.uint16)
        right = np.where((bits & 0x7FFF) > 0x7C00, 0x7FFF, bits ^ 0x8000).astype(np.uint16)
        x[:] = 0
        return right.view(np.float16)

    assert pc.run(negated, "neg.f16", jobs=1).passed


def test_ctrl_c_ends_vectors() -> None:
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        pc.vectors("fma.rn.f16", count=1 << 24)
    assert time.monotonic() - started < 10


def test_ctrl_c_ends_a_run() -> None:
    def slow(*operands: Any) -> Any:
        time.sleep(0.2)
        return operands[0]

    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        pc.run(slow, "fma.rn.f32", tier="nightly")
    assert time.monotonic() - started < 20


def test_bad_requests_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown tier"):
        pc.run(lambda x: x, "neg.f16", tier="slow")
    with pytest.raises(ValueError, match="empty"):
        pc.check("neg.f16", np.empty(0, np.float16), np.empty(0, np.float16))
    with pytest.raises(ValueError, match="has the shape"):
        pc.check("neg.f16", np.float16([1, 2]), np.float16([1]))
    with pytest.raises(ValueError, match="has no sweep 'nothing'; its sweeps: "):
        pc.vectors("neg.f16", sweep="nothing")
    for wrong, words in (({"count": 10**12}, "count=1000000000000"), ({"first": -1}, "first=-1"), ({"seed": 2**64}, "seed=")):
        with pytest.raises(ValueError, match=words):
            pc.vectors("fma.rn.f16", **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="label has"):
        pc.check("neg.f16", np.float16([1]), np.float16([1]), label="x" * 201)
    with pytest.raises(ValueError, match="jobs=1000000"):
        pc.run(lambda x: x, "neg.f16", jobs=10**6)
    with pytest.raises(TypeError, match="options is a list"):
        pc.judge("a.ptx", options="--tier quick")
    with pytest.raises(ValueError, match="ptx_conformance.mma"):
        pc.variant("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")


def test_explanations() -> None:
    page = pc.explain("fma.rn.bf16", 1.5, -1.0078125, 2**-53)
    assert "exact" in page
    assert pc.explain("neg.f16", np.float16(1)) == pc.explain("neg.f16", np.uint16(0x3C00))
    with pytest.raises(TypeError, match="fma.rn.bf16 takes"):
        pc.explain("fma.rn.bf16", 1.5)


CAST = """
.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 d) cast(.param .b32 a)
{
    .reg .b32 %bits;
    ld.param.b32 %bits, [a];
    shr.u32 %bits, %bits, 16;
    st.param.b32 [d], %bits;
    ret;
}
"""


def test_functions_of_ptx_are_judged(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Files of the current folder are nobody's modules.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "types.py").write_text("raise SystemExit('taken for a module')")
    file = tmp_path / "cast.ptx"
    file.write_text(CAST)
    report = pc.judge(file, "cast", as_="cvt.rn.bf16.f32", options=["--tier", "quick"])
    assert report.mismatches > 0
    assert any("truncated" in cause for cause in report.causes), report
    with pytest.raises(ValueError, match="cast"):
        pc.judge(file, "cost", as_="cvt.rn.bf16.f32")


@pytest.mark.parametrize(*pc.cases("neg.*16", target="sm_90"))
def test_cases_are_parameters(name: str, conforms: Any) -> None:
    def negated(x: Any) -> Any:
        return pc.compute(name, x)

    assert conforms(negated, name).passed
    with pytest.raises(AssertionError, match=r"neg\."):
        conforms(lambda x: x, name)
