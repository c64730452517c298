"""Matrix instructions: what their names say, MMA-Sim's stand-in for torch, and products worked out by hand:
venv/bin/python -m unittest test_sums, with numpy and, or tests are skipped, ml_dtypes"""

import contextlib
import importlib
import io
import os
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import numpy

from sums import bare, parsed, rows_of


def module(test, name):
    """A module, or the test is skipped where a package that it needs is missing."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            return importlib.import_module(name)
    except (SystemExit, ModuleNotFoundError) as missing:
        test.skipTest(str(missing))


class Names(unittest.TestCase):
    def check(self, variant, *expected):
        form = parsed(variant)
        found = (form.shape, form.d, form.a, form.b, form.c, form.k, form.kind, form.scale, form.block)
        self.assertEqual(found, expected, variant)

    def test_names_say_shape_formats_and_blocks(self):
        self.check(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
            "m16n8k16", "f32", "bf16", "bf16", "f32", 16, None, None, None,
        )  # fmt: skip
        self.check(
            "wmma.mma.sync.aligned.row.col.m32n8k16.f16.f32",
            "m32n8k16", "f16", "f16", "f16", "f32", 16, None, None, None,
        )  # fmt: skip
        self.check(
            "wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e5m2(a-regs)",
            "m64n8k32", "f16", "e4m3", "e5m2", "f16", 32, None, None, None,
        )  # fmt: skip
        nvf4 = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec"
        types = ("f32", "e2m1", "e2m1", "f32", 64, "mxf4nvf4")
        self.check(f"{nvf4}::4X.f32.e2m1.e2m1.f32.ue4m3", "m16n8k64", *types, "ue4m3", 16)
        self.check(f"{nvf4}::2X.f32.e2m1.e2m1.f32.ue8m0", "m16n8k64", *types, "ue8m0", 32)
        self.check(
            "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale(a-desc,f32.e3m2.e2m1.ue8m0,k32)",
            "", "f32", "e3m2", "e2m1", "f32", 32, "mxf8f6f4", "ue8m0", 32,
        )  # fmt: skip

    def test_what_is_sparse_or_no_matrix_is_not_parsed(self):
        for variant in (
            "fma.rn.f32",
            "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
            "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16(a-desc)",
            "tcgen05.mma.ws.sp.cta_group::1.kind::f16(a-desc,f32.f16.f16,k32)",
        ):
            self.assertIsNone(parsed(variant), variant)

    def test_elements_lie_side_by_side(self):
        wide = numpy.arange(32, dtype="u1").reshape(2, 16)
        self.assertEqual(rows_of(wide, "<u2")[1].tolist(), [0x1110 + 0x202 * n for n in range(8)])
        self.assertEqual(rows_of(numpy.array([0x40003C00], "<u4"), "f2").tolist(), [[1, 2]])
        # Bits beside an element are not its own.
        self.assertEqual(bare(numpy.array([0xC73F], "<u2"), "e2m1").tolist(), [[15, 1]])
        self.assertEqual(bare(numpy.array([0xC73F], "<u2"), "e3m2").tolist(), [[63, 7]])


class Message(unittest.TestCase):
    def test_rows_without_a_result_are_told(self):
        protocol = module(self, "protocol")
        results = numpy.ma.array(numpy.array([1, 2, 3], "<u2"), mask=[0, 1, 0])
        expected = b"results but 1\n\1\0\0\0\1\0\2\0\3\0"
        self.assertEqual(protocol.message(results), expected)
        self.assertEqual(protocol.message(results[::2].data), b"results\n\1\0\3\0")


class StandIn(unittest.TestCase):
    """What differs between numpy and torch."""

    def setUp(self):
        self.stand_in = module(self, "torch_stand_in")

    def tensor(self, *values, dtype=None):
        return self.stand_in.tensor(values, dtype=dtype)

    def test_integers_do_not_widen_numbers(self):
        e = self.tensor(3, -149, dtype="i4")
        powers = self.stand_in.exp2(e)
        self.assertEqual((powers.dtype, powers.tolist()), (numpy.float32, [8, 2.0**-149]))
        self.assertEqual((e * powers).dtype, numpy.float32)
        self.assertEqual(self.stand_in.exp2(e.double()).dtype, numpy.float64)
        self.assertEqual((self.tensor(1.5) * self.tensor(1.0, dtype="f8")).dtype, numpy.float64)

    def test_views_are_shapes_or_types(self):
        x = self.tensor(1.0, 2.0, 3.0, 4.0)
        self.assertEqual([x.view(2, -1).shape, x.view((1, 4)).shape], [(2, 2), (1, 4)])
        self.assertEqual(x.view(numpy.dtype("i4"))[0], 0x3F800000)

    def test_masks_write_into_tensors(self):
        s, e = self.stand_in.frexp(self.tensor(0.75, 6.0, 0.0))
        self.assertEqual((s.tolist(), e.tolist(), e.dtype), ([0.75, 0.75, 0.0], [0, 3, 0], numpy.int32))
        s[e == 3] *= self.tensor(2.0, dtype="f8")
        e[s == 0.0] = -9
        self.assertEqual((s.tolist(), s.dtype, e.tolist()), ([0.75, 1.5, 0.0], numpy.float32, [0, 3, -9]))

    def test_reductions_go_along_a_dimension(self):
        x = self.tensor([1.0, 5.0], [7.0, 2.0])
        self.assertEqual([x.max(dim=-1).values.tolist(), x.sum(dim=-1).tolist()], [[5, 7], [6, 9]])
        self.assertEqual([(x > 1).all(dim=-1).tolist(), bool((x > 6).any())], [[False, True], True])
        halves = self.tensor(0.5, 1.5, -0.5)
        self.assertEqual(str(self.stand_in.FUNCTIONS["round"](halves).tolist()), "[0.0, 2.0, -0.0]")


class Products(unittest.TestCase):
    """The client of numpy and ml_dtypes."""

    def check(self, variant, operands, expected):
        client = module(self, "ml_dtypes_client")
        columns = [numpy.array(row, dtype).reshape(1, -1) for row, dtype in operands]
        columns[2] = columns[2].reshape(-1)
        self.assertEqual(client.find(variant)(*columns).tolist(), [expected], variant)

    def test_sums_are_in_the_type_of_the_result(self):
        one, two = 0x3C00, 0x4000
        ones, twos = ([one] * 16, "<u2"), ([two] * 16, "<u2")
        name = "mma.sync.aligned.m16n8k16.row.col"
        self.check(f"{name}.f32.f16.f16.f32", [ones, twos, ([0x3F800000], "<u4")], 0x42040000)  # 33
        self.check(f"{name}.f16.f16.f16.f16", [ones, twos, ([one], "<u2")], 0x5020)  # 33
        # 1 · 2^12 and 15 · 1 in f32, rounded to 4112 in f16.
        large = ([0x6C00] + [one] * 15, "<u2")
        self.check(f"{name}.f16.f16.f16.f16", [large, ones, ([0], "<u2")], 0x6C04)

    def test_narrow_elements_are_taken_from_their_bytes(self):
        # 2 · 0.5, with bits beside them.
        a, b = ([0x13] + [0] * 31, "u1"), ([0xC4] + [0] * 31, "u1")
        name = "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32"
        self.check(name, [a, b, ([0x40000000], "<u4")], 0x40400000)

    def test_what_numpy_lacks(self):
        client = module(self, "ml_dtypes_client")
        for variant in (
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
            "mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64",
            "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16",
            "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0",
            "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32",
        ):
            self.assertIsNone(client.find(variant), variant)


class Models(unittest.TestCase):
    """The client of MMA-Sim, without it."""

    def setUp(self):
        self.client = module(self, "mma_sim_client")

    def named(self, variant):
        kind, words = self.client.named(parsed(variant))
        return kind, ".".join(words)

    def test_instructions_have_its_names(self):
        self.assertEqual(
            self.named("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0"),
            ("MMABlockScale", "m16n8k64.kind::mxf4.block32.f32.e2m1.e2m1.f32.ue8m0"),
        )
        self.assertEqual(
            self.named("tcgen05.mma.cta_group::1.kind::f8f6f4(a-desc,f16.e4m3.e2m1,k32)"),
            ("TCGen05MMA", "m128n8k32.kind::f8f6f4.f16.e4m3.e2m1"),
        )
        wgmma = "wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16(a-desc)"
        self.assertEqual(self.named(wgmma), ("WGMMA", "m64n24k16.f32.f16.f16"))
        for lacking in (
            "mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64",
            "tcgen05.mma.cta_group::2.kind::f16(a-desc,f16.f16.f16,k16)",
            "wmma.mma.sync.aligned.row.col.m32n8k16.f16.f32",
        ):
            with self.assertRaises(self.client.Unable):
                self.named(lacking)

    def test_rows_that_it_has_no_controls_for_are_left_out(self):
        sums = []

        class Fake:
            @staticmethod
            def WGMMA(architecture, name):
                return Fake()

            def dpa(self, a, b, c):
                sums.append([a.tolist(), b.tolist(), c.tolist()])
                return (a * b).float().sum(dim=-1) + c

        find = self.client.finder(Fake, "Hopper")
        tf32 = find("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32(a-desc)")
        ones, c = numpy.ones((2, 8), "f4").view("u1"), numpy.array([2, 4], "f4").view("u4")
        found = tf32(ones, ones, c, numpy.array([1, 3], "u1"))
        self.assertEqual(sums[0], [[[1.0] * 8] * 2] * 2 + [[2.0, 4.0]])
        self.assertEqual((found.mask.tolist(), found.data.view("f4").tolist()), ([False, True], [10, 12]))

    def test_a_version_is_a_number_and_a_digest(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "mmasim").mkdir()
            (folder / "mmasim/a.py").write_text("1")
            unnumbered = self.client.version(folder)
            self.assertRegex(unnumbered, r"^without a number \(files [0-9a-f]{12}\)$")
            (folder / "pyproject.toml").write_text('[project]\nversion = "9.8"\n')
            self.assertEqual(self.client.version(folder), unnumbered.replace("without a number", "9.8"))
            (folder / "mmasim/a.py").write_text("2")
            self.assertNotIn(unnumbered[-13:], self.client.version(folder))

    def test_a_folder_that_is_none_ends_the_client(self):
        # The stand-in is not to be found by other tests.
        self.enterContext(unittest.mock.patch.dict(sys.modules))
        self.enterContext(unittest.mock.patch.object(sys, "path", list(sys.path)))
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(SystemExit) as ended:
            self.client.models(Path(folder))
        self.assertIn("cannot be used", str(ended.exception))

    @unittest.skipUnless(os.environ.get("MMA_SIM"), "MMA_SIM names no copy of MMA-Sim")
    def test_a_copy_tells_generations_apart(self):
        self.enterContext(unittest.mock.patch.dict(sys.modules))
        self.enterContext(unittest.mock.patch.object(sys, "path", list(sys.path)))
        copy = Path(os.environ["MMA_SIM"])
        places = (copy, copy / "src/mmasim", copy / "src")
        folder = next(each for each in places if (each / "mmasim").is_dir())
        sim = self.client.models(folder)
        # 1 - 1 + 2^-24 and 2^-25 more: the last bit that each keeps.
        a = numpy.array([[0x3C00, 0xBC00, 0x0C00] + [0] * 5] * 2, "<u2")
        b = numpy.array([[0x3C00, 0x3C00, last] + [0] * 5 for last in (0x0C00, 0x0800)], "<u2")
        for architecture, expected in (("Ampere", [0x33800000, 0]), ("Hopper", [0x33800000, 0x33000000])):
            find = self.client.finder(sim, architecture)
            found = find("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32")
            self.assertEqual(found(a.view("u1"), b.view("u1"), numpy.zeros(2, "<u4")).tolist(), expected)


if __name__ == "__main__":
    unittest.main()
