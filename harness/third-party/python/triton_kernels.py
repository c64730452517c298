"""Kernels of Triton in a user's module: which there are, and what types and numbers their parameters have."""

import ast
import re

from folder import Rejected

# The types of Triton's language that have a number format of the suite's.
KINDS = {
    "e4m3": "fp8e4nv", "e5m2": "fp8e5", "f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64",
    "s8": "i8", "s16": "i16", "s32": "i32", "s64": "i64", "u8": "u8", "u16": "u16", "u32": "u32", "u64": "u64",
}  # fmt: skip
TYPES = [*KINDS.values(), "fp8e4b15", "i1"]
WORD = re.compile(r"(\*?)k?(" + "|".join(TYPES) + r")(?::(1|16))?")
# Names that people give to numbers of elements and to distances.
SIZES = re.compile(r"(?i)n|m|k|.*(n_?el|num|size|stride|len|count|rows?|cols?|seed|offset).*|[nmk]_.*|.*_[nmk]")
# Names that people give to the sizes of blocks.
BLOCKS = re.compile(r"(?i).*(block|tile|size).*|bs")
# How many names an error lists.
NAMES = 16
# Functions of Triton's language that read or write where their first argument points to.
READS = ("load", "atomic_add", "atomic_max", "atomic_min", "atomic_xchg", "atomic_cas")
WRITES = ("store", *READS[1:])


def unwrapped(kernel, is_kernel):
    """A kernel without what tunes it, and the wrappers, the outermost first; None if it is no kernel."""
    wrappers = []
    while kernel is not None and not is_kernel(kernel):
        wrappers.append(kernel)
        # Anything may have the attribute, so its chain may have no end.
        kernel = getattr(kernel, "fn", None) if len(wrappers) < 8 else None
    return kernel, wrappers


def listed(names):
    """Names in a sentence, not too many of them."""
    shown = ", ".join(f"`{name}`" for name in names[:NAMES]) or "none"
    return shown + (f" and {len(names) - NAMES} more" if len(names) > NAMES else "")


def chosen(module, name, path, is_kernel):
    """The kernel of this name in a module, or the only one, and what wraps it."""
    own = {
        known: unwrapped(value, is_kernel)
        for known, value in vars(module).items()
        if type(value).__module__.split(".")[0] in ("triton", module.__name__)
    }
    kernels = {
        known: pair
        for known, pair in own.items()
        if pair[0] is not None and pair[0].__module__ == module.__name__
    }
    names = listed(list(kernels))
    if name:
        # One that is imported may be named, too.
        kernel = own.get(name, (None, []))
        if kernel[0] is None:
            raise Rejected(f"{path} has no function `{name}` under @triton.jit: it has {names}")
        return kernel
    if not kernels:
        raise Rejected(f"{path} has no function under @triton.jit")
    if len(kernels) > 1:
        raise Rejected(f"{path} has several functions under @triton.jit, {names}: say which, as {path}:NAME")
    return next(iter(kernels.values()))


class Pointers(ast.NodeVisitor):
    """The parameters through which a function reads and writes, as far as its text says so."""

    def __init__(self, tree, names):
        self.names, self.values = names, {}
        self.read, self.written = set(), set()
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.values.setdefault(name, []).append(value)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self.values.setdefault(name, []).append(value)
        self.visit(tree)

    def pointer(self, node, seen=()):
        """The parameter that an address begins with: offsets are added behind it, or before it."""
        match node:
            case ast.Name(id=name) if name in seen or len(seen) > 32:
                return None
            case ast.Name(id=name) if name in self.values:
                found = (self.pointer(value, (*seen, name)) for value in self.values[name])
                return next((each for each in found if each), name if name in self.names else None)
            case ast.Name(id=name):
                return name if name in self.names else None
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                return self.pointer(left, seen) or self.pointer(right, seen)
            case ast.Call(func=ast.Attribute(attr="to"), args=_) if isinstance(node.func.value, ast.Name):
                return self.pointer(node.func.value, seen)
            case ast.Call(args=[first, *_]):
                return self.pointer(first, seen)
        return None

    def visit_Call(self, node):
        self.generic_visit(node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        named = next((each.value for each in node.keywords if each.arg == "pointer"), None)
        address = node.args[0] if node.args else named
        pointer = self.pointer(address) if address is not None else None
        if pointer and name in READS:
            self.read.add(pointer)
        if pointer and name in WRITES:
            self.written.add(pointer)


def kinds(text):
    """The types of Triton's language for a list of formats of the suite's, None for each that Triton lacks."""
    return [KINDS.get(word) for word in text.split(",") if word]


class Guess:
    """The types of parameters that nobody said, by what the kernel should compute."""

    def __init__(self, tree, parameters, operands, results):
        self.parameters, self.pointers = parameters, Pointers(tree, [each.name for each in parameters])
        self.left = {"operand": list(operands), "result": list(results)}
        self.all = {"operand": list(operands), "result": list(results)}

    def taken(self, what, name):
        """The type of the next operand or result."""
        left, known = self.left[what], self.all[what]
        if not known:
            raise Rejected(f"the type of `{name}` is not known: say it with --signature, or the meaning with --as")
        # One more than there are is of the type that all have.
        kind = left.pop(0) if left else known[0] if len(set(known)) == 1 else None
        if kind is None:
            raise Rejected(f"the type of `{name}` does not follow from the meaning: say it with --signature")
        return kind

    def type(self, parameter):
        """The type of a parameter."""
        name, read, written = parameter.name, self.pointers.read, self.pointers.written
        if name in read:
            kind = self.taken("operand", name)
            if name in written and self.left["result"]:
                self.left["result"].pop(0)
            return f"*{kind}"
        if name in written:
            return f"*{self.taken('result', name)}"
        if name.lower().endswith("ptr"):
            return f"*{self.taken('operand', name)}"
        if isinstance(parameter.default, bool):
            return "i1"
        if isinstance(parameter.default, (int, float)):
            return "i32" if isinstance(parameter.default, int) else "fp32"
        if SIZES.fullmatch(name):
            return "i32"
        if self.left["operand"]:
            return self.taken("operand", name)
        raise Rejected(f"the type of `{name}` is not known: say it with --signature")


def split(word, name):
    """The type that a word of --signature names, and whether the parameter is a multiple of 16: pointers are, as
    PyTorch's are, unless the word says `:1`."""
    found = WORD.fullmatch(word)
    if not found:
        raise Rejected(f"`{word}` is no type for `{name}`: write one of {', '.join(TYPES)}, with `*` for a pointer")
    pointer, kind, multiple = found.groups()
    return f"{pointer}{kind}", multiple == "16" or bool(pointer) and multiple is None


def signature(text, parameters):
    """The words of --signature by the names of parameters: one for each, or for each that is no constant."""
    words = [word.strip() for word in text.split(",")]
    typed = [each for each in parameters if not each.is_constexpr]
    for those in (parameters, typed):
        if len(those) == len(words):
            return {each.name: word for each, word in zip(those, words)}
    names = ", ".join(each.name for each in typed)
    raise Rejected(f"--signature has {len(words)} types, but the kernel has {len(typed)} parameters: {names}")
