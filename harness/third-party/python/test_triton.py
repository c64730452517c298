"""Tests of how kernels of Triton are found and what types their parameters have: python3 -m unittest test_triton

They need no Triton.
"""

import ast
import tempfile
import types
import unittest
from pathlib import Path

from folder import Rejected
from triton_kernels import Guess, Pointers, chosen, kinds, listed, signature, split
from user_module import Absent, loaded

KERNEL = """
def kernel(out, x, y_ptr, alpha, n_elements, BLOCK):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    where = x + i
    where += 1
    a = tl.load(where, mask=i < n_elements)
    b = tl.load(pointer=tl.multiple_of(y_ptr, 16) + i)
    tl.store(out + i, a * alpha + b)
"""


def parameter(name, default=None, constant=False):
    return types.SimpleNamespace(name=name, default=default, is_constexpr=constant)


def parameters(text):
    arguments = ast.parse(text).body[0].args.args
    return [parameter(each.arg, constant=each.arg == "BLOCK") for each in arguments]


class Types(unittest.TestCase):
    def guessed(self, operands, results, text=KERNEL):
        own = parameters(text)
        guess = Guess(ast.parse(text), own, kinds(operands), kinds(results))
        return [guess.type(each) for each in own if not each.is_constexpr]

    def test_pointers_are_found_by_what_is_read_and_written(self):
        names = [each.name for each in parameters(KERNEL)]
        pointers = Pointers(ast.parse(KERNEL), names)
        self.assertEqual((pointers.read, pointers.written), ({"x", "y_ptr"}, {"out"}))

    def test_types_follow_from_the_meaning(self):
        self.assertEqual(self.guessed("f32,f32,f32", "bf16"), ["*bf16", "*fp32", "*fp32", "fp32", "i32"])
        self.assertEqual(self.guessed("e5m2,f16,f32", "e4m3"), ["*fp8e4nv", "*fp8e5", "*fp16", "fp32", "i32"])

    def test_what_does_not_follow_is_refused(self):
        for operands, results, words in [
            ("", "", "the type of `out` is not known: say it with --signature, or the meaning with --as"),
            ("f32,f32", "f32", "the type of `alpha` is not known"),
            ("f32,f32,f32", "b16", "the type of `out` does not follow from the meaning"),
            ("e2m1,f32,f32", "f32", "the type of `x` does not follow"),
        ]:
            with self.assertRaisesRegex(Rejected, words):
                self.guessed(operands, results)

    def test_an_operand_may_be_overwritten(self):
        text = "def k(x, n):\n    tl.store(x, tl.load(x))\n"
        self.assertEqual(self.guessed("f16", "f16", text), ["*fp16", "i32"])

    def test_addresses_in_a_circle_have_no_pointer(self):
        text = "def k(x):\n    a = b\n    b = a\n    tl.store(a + x, 1)\n"
        self.assertEqual(Pointers(ast.parse(text), ["x"]).written, {"x"})
        deep = "def k(x):\n" + "".join(f"    a{n + 1} = a{n}\n" for n in range(100)) + "    tl.store(a100, 1)\n"
        self.assertEqual(Pointers(ast.parse(deep), ["x"]).written, set())

    def test_words_of_a_signature_are_types(self):
        own = parameters(KERNEL)
        named = signature("*fp32, *fp32:1, *bf16, fp32, i32:16", own)
        self.assertEqual(named["y_ptr"], "*bf16")
        self.assertEqual([split(word, "x") for word in named.values()],
                         [("*fp32", True), ("*fp32", False), ("*bf16", True), ("fp32", False), ("i32", True)])  # fmt: skip
        self.assertEqual(signature("i1,i1,i1,i1,i1,64", own)["BLOCK"], "64")
        with self.assertRaisesRegex(Rejected, "has 1 types, but the kernel has 5 parameters: out, x, y_ptr"):
            signature("i1", own)
        for word in ["", "fp33", "**fp32", "fp32:3", "*fp32*"]:
            with self.assertRaisesRegex(Rejected, "is no type for `x`: write one of fp8e4nv"):
                split(word, "x")


class Modules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name, "own_kernels.py"))

    def refusal(self, text):
        with self.assertRaises(Rejected) as caught:
            loaded(text, self.path)
        return str(caught.exception).replace(self.path, "FILE")

    def test_what_goes_wrong_is_told_with_its_line(self):
        for text, words in [
            ("x = 1\ny = (\n", "FILE:2: `y = (`: SyntaxError: '(' was never closed"),
            ("\n1 / 0", "FILE:2: `1 / 0`: ZeroDivisionError: division by zero"),
            ("import nothing_of_that_name", "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
            ("exit(3)", "FILE:1: `exit(3)`: SystemExit: 3"),
            ("def f():\n    raise ValueError('a\\nb')\n\nf()", "FILE:2: `raise ValueError('a\\nb')`: ValueError: a b"),
            ("a = 'x\0'", "source code string cannot contain null bytes"),
        ]:
            self.assertIn(words, self.refusal(text))

    def test_a_file_is_not_the_main_program(self):
        module = loaded("if __name__ == '__main__':\n    1 / 0\nx = __file__", self.path)
        self.assertEqual(module.x, self.path)

    def test_nothing_may_depend_on_a_package_that_is_absent(self):
        torch = Absent("torch")
        function = lambda x: x  # noqa: E731
        self.assertIs(torch.no_grad(function), function)
        self.assertEqual(repr(torch.float32), "torch.float32")
        self.assertEqual({torch.float32: 1, torch.float16: 2}[torch.float32], 1)
        self.assertIsInstance(torch.Tensor | None, Absent)

        class Inherits(torch.nn.Module):
            pass

        self.assertEqual(Inherits.__bases__, (object,))
        for used in [lambda: bool(torch.x), lambda: torch.x == 1, lambda: torch.x > 1, lambda: int(torch.x())]:
            with self.assertRaisesRegex(ModuleNotFoundError, "`torch.x.*` is of a package that is not installed here"):
                used()

    def test_a_kernel_is_named_where_there_are_several(self):
        module = loaded("class K: pass\nclass W: pass\na, b = K(), W()\nb.fn = K()\nc = W()\nc.fn = c", self.path)
        for kernel in (module.a, module.b.fn):
            kernel.__module__ = module.__name__
        is_kernel = lambda each: isinstance(each, module.K)  # noqa: E731
        self.assertEqual(chosen(module, "a", "FILE", is_kernel), (module.a, []))
        self.assertEqual(chosen(module, "b", "FILE", is_kernel), (module.b.fn, [module.b]))
        for name, words in [
            ("c", "FILE has no function `c` under @triton.jit: it has `a`, `b`"),
            (None, "FILE has several functions under @triton.jit, `a`, `b`: say which, as FILE:NAME"),
        ]:
            with self.assertRaises(Rejected) as caught:
                chosen(module, name, "FILE", is_kernel)
            self.assertEqual(str(caught.exception), words)
        del module.b
        self.assertEqual(chosen(module, None, "FILE", is_kernel), (module.a, []))
        self.assertEqual(listed([str(number) for number in range(18)])[-21:], "`14`, `15` and 2 more")


if __name__ == "__main__":
    unittest.main()
