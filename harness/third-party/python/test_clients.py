"""Values worked out by hand: venv/bin/python -m unittest test_clients

Tests of clients whose package is not installed are skipped.
"""

import contextlib
import importlib
import io
import unittest

from protocol import numpy
from registers import column_of, inputs, lanes_of


class Registers(unittest.TestCase):
    def test_lanes_lie_where_the_suite_has_them(self):
        two, one = numpy.array([0x2A15], "<u2"), numpy.array([0x52], "u1")
        self.assertEqual(lanes_of(two, "e2m3x2").tolist(), [[0x15, 0x2A]])
        self.assertEqual(lanes_of(one, "e2m1x2").tolist(), [[2, 5]])
        self.assertEqual(lanes_of(numpy.array([0x7FFFE000], "<u4"), "tf32").tolist(), [[0x3FFFF]])

    def test_registers_are_made_of_their_lanes(self):
        registers = [("e2m1x2", 0x52, 1), ("e3m2x2", 0x2A15, 2), ("bf16x2", 0x3F804000, 4)]
        for name, bits, width in registers:
            column = numpy.array([0, bits], f"<u{width}")
            again = column_of(lanes_of(column, name), name)
            self.assertEqual((again.tolist(), again.itemsize), ([0, bits], width))

    def test_the_first_of_two_registers_goes_to_the_upper_lane(self):
        a, b = numpy.array([1], "<u4"), numpy.array([2], "<u4")
        self.assertEqual(inputs([a, b], "f32", 2).tolist(), [[2, 1]])


class Client(unittest.TestCase):
    """A client, by the results of single vectors; the width of each operand stands beside it."""

    def client(self, name):
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                return importlib.import_module(f"{name}_client")
        except SystemExit as missing:
            self.skipTest(str(missing))

    def check(self, client, variant, operands, expected):
        columns = [numpy.array([bits], f"<u{width}") for width, bits in operands]
        with self.subTest(variant):
            self.assertEqual(client.find(variant)(*columns).tolist(), [expected])

    def test_ml_dtypes(self):
        client = self.client("ml_dtypes")
        self.check(client, "add.rn.bf16", [(2, 0x3F80), (2, 0x4000)], 0x4040)  # 1 + 2
        self.check(client, "mul.e4m3x4.e4m3x4.e4m3x4", [(4, 0x4038), (4, 0x4840)], 0x5040)  # 2*4, 1*2
        self.check(client, "div.rn.f32", [(4, 0x3F800000), (4, 0x40000000)], 0x3F000000)  # 1 / 2
        self.check(client, "min.f16", [(2, 0x7E00), (2, 0x3C00)], 0x3C00)  # a NaN loses
        self.check(client, "setp.gt.bf16", [(2, 0x3F80), (2, 0xC000)], 1)  # 1 > -2
        self.check(client, "setp.lt.f32(p)", [(4, 0x3F800000), (4, 0xC0000000)], 0)
        self.check(client, "set.eq.u32.f64", [(8, 0), (8, 1 << 63)], 0xFFFFFFFF)  # 0 = -0
        self.check(client, "cvt.rn.f16.s8", [(1, 0xFF)], 0xBC00)  # -1
        # 1 and 32, which is too large
        self.check(client, "cvt.rn.satfinite.e2m1x2.f32", [(4, 0x3F800000), (4, 0x42000000)], 0x27)
        self.check(client, "cast.rn.e4m3.f32", [(4, 0x44800000)], 0x7F)  # 1024 is too large
        self.check(client, "cast.rn.e4m3ieee.f32", [(4, 0x44800000)], 0x78)  # infinity
        self.check(client, "cast.rn.e3m4.f64", [(8, 0x402F800000000000)], 0x70)  # 15.75 is a tie
        self.check(client, "cast.rn.e4m3b11fnuz.s32", [(4, 0xFFFFFFFF)], 0xD8)  # -1
        self.check(client, "cast.rn.satfinite.e2m1.f32", [(4, 0x42000000)], 0x7)  # 32 becomes 6
        self.check(client, "cast.f32.e2m1", [(1, 0xB)], 0xBFC00000)  # -1.5
        self.check(client, "cast.rn.ue8m0.f32", [(4, 0x3FC00000)], 0x80)  # 1.5 is a tie
        self.check(client, "cast.f32.ue8m0", [(1, 0)], 0x00400000)  # 2^-127
        self.assertIsNone(client.find("cvt.rz.f16.f32"))

    def test_gfloat(self):
        client = self.client("gfloat")
        self.check(client, "cvt.rm.f16.f32", [(4, 0x3F7FFFFF)], 0x3BFF)  # 1, nearly
        self.check(client, "cast.f32.e4m3", [(1, 0xB8)], 0xBF800000)  # -1
        self.check(client, "cast.rz.e5m2fnuz.f16", [(2, 0x3C00)], 0x40)
        self.check(client, "cast.rn.satfinite.e4m3ieee.f32", [(4, 0x44800000)], 0x77)  # 240
        self.check(client, "cast.rn.e3m4.f64", [(8, 0x402F800000000000)], 0x70)  # 15.75 is a tie
        self.check(client, "cast.rn.e4m3b11fnuz.f32", [(4, 0xBF800000)], 0xD8)  # -1
        self.check(client, "cvt.rn.satfinite.e4m3x2.f32", [(4, 0x44800000), (4, 0xC0000000)], 0x7EC0)
        self.check(client, "cvt.rna.tf32.f32", [(4, 0x3F801000)], 0x3F802000)  # 1 + 2^-11, a tie
        self.assertIsNone(client.find("cvt.rn.satfinite.e2m1x2.f32"))

    def test_torch(self):
        client = self.client("torch")
        self.check(client, "sub.rn.f16", [(2, 0x3C00), (2, 0x4000)], 0xBC00)  # 1 - 2
        self.check(client, "cvt.rn.bf16.f32", [(4, 0x3FC00000)], 0x3FC0)  # 1.5
        self.check(client, "ex2.approx.f32", [(4, 0x40400000)], 0x41000000)  # 2^3
        self.check(client, "cast.rn.satfinite.e4m3.f32", [(4, 0x44800000)], 0x7E)  # 1024 becomes 448
        self.check(client, "cast.f32.e5m2", [(1, 0xC0)], 0xC0000000)  # -2
        self.assertIsNone(client.find("fma.rn.f32"))


if __name__ == "__main__":
    unittest.main()
