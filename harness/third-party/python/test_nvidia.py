"""Tests of the clients of NVIDIA's compilers that need nothing of NVIDIA's:

    python3 -m unittest test_nvidia

Listings and texts are made up for the tests, in the form in which the tools write them.
"""

import io
import unittest

import folder
import frames
import kernels
import machine_code
from llvm_operations import operations
from ptxas_client import Folder, Refused, results
from siblings import siblings
from variants import samples, types


def listing(*instructions):
    """A kernel as nvdisasm prints it; what ends in a colon is a label."""
    lines = [
        each if each.endswith(":") else f"        /*{16 * at:04x}*/          {each} ;"
        for at, each in enumerate(instructions)
    ]
    return "\n".join(['\t.section\t.text.k,"ax",@progbits', ".text.k:", *lines])


def stored(*instructions):
    return machine_code.constants(listing(*instructions))["k"]


class MachineCode(unittest.TestCase):
    def constant(self, move, store="STG.E.STRONG.SYS [R2.64], R5"):
        return stored(move, store, "EXIT")[0]

    def test_moves_come_in_guises(self):
        for move, expected in [
            ("MOV R5, 0x3f800000", 0x3F800000),
            ("IMAD.MOV.U32 R5, RZ, RZ, -0x1ff01ff", 0xFE00FE01),
            ("HFMA2.MMA R5, -RZ, RZ, 1.875, 0", 0x3F800000),
            ("HFMA2 R5, -RZ, RZ, -0.0 , 5.9604644775390625e-08", 0x80000001),
            ("HFMA2 R5, -RZ, RZ, 0, +QNAN ", 0x7FFF),
            ("CS2R R4, SRZ", 0),
        ]:
            with self.subTest(move):
                self.assertEqual(self.constant(move), expected)

    def test_what_is_no_move_is_not_known(self):
        for instruction in [
            "FMUL R5, RZ, +INF ",
            "FADD.FTZ R5, -RZ, 1",
            "@P0 MOV R5, 0x1",
            "HFMA2.RELU R5, -RZ, RZ, 1, 1",
            "HADD2 R5, -RZ.H0_H0, c[0x2] [0x0].F32",
            "MOV R5, c[0x0][0x160]",
        ]:
            with self.subTest(instruction):
                self.assertIsNone(self.constant(instruction))

    def test_the_bytes_of_a_register_are_known_one_by_one(self):
        half = "STG.E.U16.STRONG.SYS desc[UR4][R2.64+0x8], R5"
        moves = ["MOV R0, 0x12347fff", "PRMT R5, R0, 0x7610, R5"]
        self.assertEqual(stored(*moves, half), {8: 0x7FFF})
        self.assertEqual(stored(*moves, "STG.E [R2.64], R5"), {0: None})
        signs = stored("MOV R0, 0x80", "PRMT R5, R0, 0x8880, RZ", "STG.E [R2.64], R5")
        self.assertEqual(signs, {0: 0xFFFFFF80})

    def test_a_register_that_may_have_been_written_is_forgotten(self):
        moves = ["MOV R4, 0x1", "MOV R5, 0x2"]
        self.assertEqual(stored(*moves, "STG.E.64 [R2.64], R4"), {0: 0x2_0000_0001})
        # This writes both, and the number of the first alone is in the text.
        self.assertEqual(stored(*moves, "DADD R4, R6, R8", "STG.E [R2.64], R5"), {0: None})
        self.assertEqual(stored(*moves, "FADD R4, R6, R8", "STG.E [R2.64], R5"), {0: 2})

    def test_nothing_is_known_behind_a_jump_or_a_label(self):
        move, store, again = "MOV R5, 0x1", "STG.E [R2.64], R5", "STG.E [R2.64+0x8], R5"
        for between in "@P0 BRA `(.L_x_1)", ".L_x_1:", "$__internal_0_$__div_slowpath:":
            with self.subTest(between):
                self.assertEqual(stored(move, between, store, move, again), {0: None, 8: 1})

    def test_two_stores_to_one_place_cannot_be_told_apart(self):
        self.assertEqual(stored("STG.E [R2.64], RZ", "STG.E [R4.64], RZ"), {0: None})

    def test_a_row_needs_all_of_its_results(self):
        rows = results({0: 1, 8: 0, 16: 1, 24: None}, "setp.lt.f32", [(1, 2), (3, 4)])
        self.assertEqual(rows, [(1, 0), None])


class Variants(unittest.TestCase):
    def test_operands_follow_from_the_name(self):
        for variant, expected in [
            ("fma.rn.ftz.f32", (["f32"] * 3, ["f32"])),
            ("min.f32(a,b,c)", (["f32"] * 3, ["f32"])),
            ("cvt.rn.f16x2.f32", (["f32", "f32"], ["f16x2"])),
            ("set.lt.and.ftz.u32.f32", (["f32", "f32", "pred"], ["u32"])),
            ("setp.lt.bf16", (["bf16", "bf16"], ["pred"])),
            ("setp.lt.and.f32(p)", (["f32", "f32", "pred"], ["pred"])),
            ("slct.b64.f32", (["b64", "b64", "f32"], ["b64"])),
            ("add.rn.f32.f16", None),
            ("cvt.rs.f16x2.f32", None),
            ("mul.e4m3x4.e4m3x4.e4m3x4", None),
        ]:
            with self.subTest(variant):
                self.assertEqual(types(variant), expected)

    def test_samples_fit_their_types(self):
        for kinds in [["f16x2"], ["f64", "f64"], ["f32", "f32", "pred"], ["s8"], ["bf16"] * 3]:
            for row in samples(kinds):
                self.assertEqual(len(row), len(kinds))
                for kind, bits in zip(kinds, row):
                    self.assertTrue(0 <= bits < 1 << kernels.BITS[kind])

    def test_a_variant_is_among_its_siblings_once(self):
        for variant in ["set.lt.and.ftz.u32.f32", "cvt.rn.ftz.sat.f16.f32", "setp.lt.ftz.f32(p)"]:
            self.assertEqual(siblings(variant).count(variant), 1)
            self.assertIn(variant, siblings(siblings(variant)[-1]))


class Ptx(unittest.TestCase):
    def test_operands_stand_in_the_text(self):
        text = kernels.kernel("set.lt.and.u32.f32", [(1, 0x80000000, 1)], "k")
        instruction = "set.lt.and.u32.f32 %d0, %a0, %a1, %a2;"
        for line in ["mov.b32 %a1, 0x80000000;", "mov.pred %a2, 1;", instruction]:
            self.assertIn(line, text.splitlines())
        self.assertIn("cvt.u8.u16 %a0, 0xff;", kernels.kernel("cvt.rn.f32.s8", [(255,)], "k"))

    def test_complaints_are_of_kernels(self):
        texts = [kernels.kernel("abs.f32", [(0,)] * rows, f"k{rows}") for rows in (1, 2, 3)]
        text = kernels.module("8.0", "sm_80", texts).splitlines()
        line = 1 + next(at for at, each in enumerate(text) if "k2" in each)
        self.assertEqual(Refused(f"ptxas x.ptx, line {line}; error   : no").blamed(texts), {1})
        self.assertEqual(Refused("Internal compiler error").blamed(texts), set())


class Ptxas(unittest.TestCase):
    def test_a_variant_is_supported_if_half_of_its_samples_are_folded(self):
        class Assembler:
            def folded(self, target, work):
                """Folds `abs.f32` unless the operand is NaN, and `neg.f32` if it is 1."""
                folds = {
                    "abs.f32": lambda bits: bits & 0x7FFFFFFF <= 0x7F800000,
                    "neg.f32": lambda bits: bits == 0x3F800000,
                }
                return [
                    [row if folds.get(variant, lambda bits: False)(*row) else None for row in rows]
                    for variant, rows in work
                ]

        folder = Folder(Assembler(), ["sm_80"])
        folder.supports("abs.f32")
        self.assertEqual(folder.run("abs.f32", [(1,), (0x7FC00000,)]), [(1,), None])
        with self.assertRaisesRegex(frames.Unable, "few of the operands"):
            folder.supports("neg.f32")


class Nvvm(unittest.TestCase):
    def test_constants_are_immediates_or_registers_that_were_filled(self):
        text = """
            mov.b32 \t%r1, 0f7FFFFFFF;
            st.volatile.global.b32 \t[%rd1], %r1;
            add.rn.f32 \t%r1, %r2, 0f3F800000;
            st.volatile.global.b32 \t[%rd1+8], %r1;
            st.volatile.global.b16 \t[%rd1+16], -2;
            st.volatile.global.b64 \t[%rd1+24], 0x4002;"""
        self.assertEqual(folder.constants(text), {0: 0x7FFFFFFF, 8: None, 16: 0xFFFE, 24: 0x4002})

    def test_operations_are_spelled_as_the_compiler_has_them(self):
        lines, declaration, options = next(operations("sub.rm.ftz.f32"))
        self.assertEqual(lines[-1], "$d = call float @llvm.nvvm.add.rm.ftz.f(float $0, float $n)")
        self.assertEqual(declaration, "declare float @llvm.nvvm.add.rm.ftz.f(float, float)")
        self.assertEqual(options, ["-ftz=1"])
        functions = [declaration.split("@")[-1] for _, declaration, _ in operations("cvt.rmi.s64.f64")]
        self.assertEqual(functions, ["llvm.nvvm.d2ll.rm(double)"])


class Frames(unittest.TestCase):
    def test_columns_become_rows_and_rows_columns(self):
        def run(variant, rows):
            self.assertEqual((variant, rows), ("setp.lt.f16", [(1, 0x8000), (2, 3)]))
            return [(0, 1), (1, 0)]

        stream = io.BytesIO(bytes([1, 0, 2, 0, 0, 0x80, 3, 0]))
        answer = frames.answer(frames.by_rows(run), stream, "setp.lt.f16", "2", "2,2", "1,1")
        self.assertEqual(answer, b"results\n" + bytes([0, 1, 1, 0]))

    def test_rows_without_a_result_are_named_before_the_columns(self):
        def run(variant, rows):
            return [(1, 2), None, (3, 4), None]

        batch = frames.by_rows(run)
        answer = frames.answer(batch, io.BytesIO(bytes(4)), "setp.lt.s8", "4", "1", "1,2")
        numbers = bytes([1, 0, 0, 0, 3, 0, 0, 0])
        columns = bytes([1, 0, 3, 0]) + bytes([2, 0, 0, 0, 4, 0, 0, 0])
        self.assertEqual(answer, b"results but 2\n" + numbers + columns)

    def test_what_cannot_be_computed_has_failed(self):
        def run(variant, rows):
            raise frames.Unable("it is not folded")

        batch = frames.by_rows(run)
        answer = frames.answer(batch, io.BytesIO(bytes(4)), "abs.f32", "1", "4", "4")
        self.assertEqual(answer, b"failed it is not folded\n")


if __name__ == "__main__":
    unittest.main()
