#!/usr/bin/env python3
"""Triton, from a kernel of Python to PTX, as a compiler of the suite's. See compilers.py.

A source is a module of Python, which is executed as its author's program is. Nothing is asked of a GPU or its driver.
"""

import ast
import os
import re
import tempfile

from compilers import serve
from folder import Rejected
from installed import missing
from triton_kernels import BLOCKS, Guess, chosen, kinds, signature, split
from user_module import Absent, failed, first_line, in_one_line, loaded, placed

# A kernel that Triton itself interprets cannot be compiled.
os.environ.pop("TRITON_INTERPRET", None)
# What it compiled before it must not answer for what it compiles now.
os.environ["TRITON_ALWAYS_COMPILE"] = "1"
# Triton 3.9 warns that its default will change, unless the default is said.
os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")
# Else most of the PTX is tables for debuggers.
os.environ["TRITON_DISABLE_LINE_INFO"] = "1"

try:
    import triton
    import triton.backends.nvidia.compiler as nvidia
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.errors import CompilationError
    from triton.runtime.driver import driver
    from triton.runtime.jit import JITFunction
except ModuleNotFoundError:
    missing("triton")

TARGETS = [75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121]
OPTIONS = {
    "enable_fp_fusion={True|False}": "contract multiplications and additions (default: True)",
    "enable_reflect_ftz={True|False}": "flush subnormals in functions of libdevice (default: True)",
    "num_warps={1|2|4|8}": "the warps of a block (default: 4)",
    "--kernel=NAME": "the function under @triton.jit (default: the only one)",
    "--signature=TYPES": "the types of the parameters, such as *fp32, *fp32, i32",
    "--constant=NAME=VALUE": "the value of a parameter that is a constant",
    "--operands=FORMATS": "the formats of operands, from which types follow that are not said, such as f32,f32",
    "--results=FORMATS": "the formats of results",
    "--file=PATH": "the file that the source was read from",
}
OWN = ("--kernel", "--signature", "--constant", "--operands", "--results", "--file")
WARPS, LANES = 4, 32
# What the second line of the PTX begins with where a thread has elements that are not beside each other.
APART = "// elements of a thread are apart: "
# How many bytes are read of what Triton prints.
PRINTED = 1 << 16


class Driver:
    """What a module is told that asks for the GPU in use: the target that it is compiled for."""

    def __init__(self, target):
        self.target = target

    def get_current_target(self):
        return self.target

    def get_active_torch_device(self):
        return Absent("the GPU")

    def __getattr__(self, name):
        raise RuntimeError(f"`{name}` asks for a GPU, and there is none")


def value(text):
    """The value that a word means: a number, a truth value, a text, or a type of Triton's language."""
    named = re.fullmatch(r"(?:tl|triton\.language)\.(\w+)", text)
    if named and hasattr(triton.language, named[1]):
        return getattr(triton.language, named[1])
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def sorted_options(options):
    """The options of this client, those that may be given several times as lists, and those of Triton."""
    own, constants, rest = {}, {}, {}
    for option in options:
        name, given, text = option.partition("=")
        if not given or name.startswith("-") and name not in OWN:
            raise Rejected(f"unknown option {option}: there are {', '.join(OPTIONS)}")
        if name == "--constant":
            constant, given, text = text.partition("=")
            if not given:
                raise Rejected(f"--constant `{constant}` has no value: write NAME=VALUE")
            constants[constant.strip()] = value(text.strip())
        elif name in OWN:
            own[name] = text
        else:
            rest[name] = value(text)
            if name not in nvidia.CUDAOptions.__dataclass_fields__:
                raise Rejected(f"Triton {triton.__version__} has no option `{name}`")
    return own, constants, rest


def tuned(wrappers, constants, options):
    """The constants and options that decorators say, those of the first configuration of several, and words about
    them. Whatever is said elsewhere comes first."""
    constants, options, words = dict(constants), dict(options), []
    for wrapper in wrappers:
        configurations = getattr(wrapper, "configs", None) or []
        if configurations:
            first = configurations[0]
            constants = {**first.kwargs, **constants}
            own = {name: getattr(first, name, None) for name in ("num_warps", "num_stages", "num_ctas")}
            options = {**{name: number for name, number in own.items() if number is not None}, **options}
        if len(configurations) > 1:
            words.append(f"the first of {len(configurations)} configurations")
        for name, found in (getattr(wrapper, "values", None) or {}).items():
            if name in constants:
                continue
            try:
                constants[name] = found(dict(constants))
            except Exception as error:
                problem = f"its heuristic needs more than constants ({first_line(error)})"
                raise Rejected(f"the value of `{name}` is not known, since {problem}: say --constant {name}=VALUE")
    return constants, options, words


def constant(parameter, constants, options, guessed):
    """The value of a parameter that is a constant."""
    if parameter.name in constants:
        return constants[parameter.name]
    if parameter.has_default:
        return parameter.default
    if not BLOCKS.fullmatch(parameter.name):
        raise Rejected(f"the value of `{parameter.name}` is not known: say --constant {parameter.name}=VALUE")
    # One element for each thread.
    guessed.append(parameter.name)
    return LANES * options.get("num_warps", WARPS)


def typed(kernel, own, constants, options):
    """What ASTSource takes: types, constants, and what is a multiple of 16. With words about guesses."""
    parameters, guessed = kernel.params, []
    names = [each.name for each in parameters]
    for name in constants:
        if name not in names:
            raise Rejected(f"the kernel has no parameter `{name}`: it has {', '.join(names)}")
    said = signature(own["--signature"], parameters) if own.get("--signature") else {}
    formats = [kinds(own.get(name, "")) for name in ("--operands", "--results")]
    guess = Guess(kernel.parse(), parameters, *formats)
    types, values, multiples = {}, {}, {}
    for number, each in enumerate(parameters):
        name = each.name
        word = said.get(name)
        if each.is_constexpr or name in constants:
            in_place = {**constants, name: value(word)} if word not in (None, "constexpr") else constants
            values[(number,)] = constant(each, {**in_place, **constants}, options, guessed)
            types[name] = "constexpr"
            continue
        types[name], multiple = split(word or each.annotation_type or guess.type(each), name)
        if multiple:
            multiples[(number,)] = [["tt.divisibility", 16]]
    return types, values, multiples, guessed


def shown(types, values, multiples):
    """The parameters of a kernel as they are compiled."""
    texts = []
    for number, (name, kind) in enumerate(types.items()):
        aligned = ":16" if (number,) in multiples else ""
        texts.append(f"{name}={values[(number,)]}" if kind == "constexpr" else f"{name}: {kind}{aligned}")
    return ", ".join(texts)


def distance(text):
    """How many elements lie between those that a thread has beside each other and the next that it has: only where it
    has several such groups, as Triton's text of the layout says."""
    layouts = dict(re.findall(r"^(#\w+) = #ttg\.blocked<\{(.*?)\}>", text, re.MULTILINE))
    found = []
    for name, layout in layouts.items():
        parts = dict(re.findall(r"(\w+) = \[(\d+)\]", layout))
        if {"sizePerThread", "threadsPerWarp", "warpsPerCTA"} <= parts.keys():
            one = int(parts["sizePerThread"]) * int(parts["threadsPerWarp"]) * int(parts["warpsPerCTA"])
            sizes = re.findall(rf"tensor<(\d+)x[^,]*, {name}>", text)
            found += [one for size in sizes if int(size) > one]
    return min(found, default=None)


def place(error, module, path):
    """Where and why Triton does not take a kernel: the innermost line that is the user's."""
    found, words, cause = None, first_line(error), error
    while isinstance(cause, CompilationError):
        of = [each for each in functions(module) if each.src == cause.src]
        line = getattr(cause.node, "lineno", None)
        if of and line is not None:
            # A text begins behind the decorators.
            before = next((at for at, text in enumerate(of[0].raw_src) if text.lstrip().startswith("def ")), 0)
            found = of[0].starting_line_number + before + line - 1
        words = cause.error_message or words
        last, cause = cause, cause.__cause__
    if cause is not None and cause is not error and not last.error_message:
        words = first_line(cause)
    words = in_one_line(str(words))
    return f"{path}: {words}" if found is None else placed(path, found, words)


def complaints(compiled):
    """What Triton's passes print about a kernel that they do not take, for which they raise an error without words."""
    with tempfile.TemporaryFile() as file:
        before = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            compiled()
        except RuntimeError:
            pass
        finally:
            os.dup2(before, 2)
            os.close(before)
        file.seek(0)
        lines = file.read(PRINTED).decode(errors="replace").splitlines()
    return in_one_line(" ".join(line for line in lines if "error:" in line))


def functions(module):
    """All functions under @triton.jit of a module."""
    for each in list(vars(module).values()):
        if isinstance(each, JITFunction):
            yield each
        elif isinstance(getattr(each, "fn", None), JITFunction):
            yield each.fn


class Compiler:
    """Triton. Its kernels become PTX, and no machine code is made of it."""

    name = "triton"
    languages = ["triton"]
    gives = "ptx"
    remembers = False
    options = OPTIONS

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        os.environ["TRITON_CACHE_DIR"] = self.folder.name
        self.release = triton.__version__
        self.targets = {f"sm_{number}": f"Triton {self.release}" for number in TARGETS}
        # The PTX is made before it, and nobody reads what is made of it.
        nvidia.CUDABackend.make_cubin = lambda *_: b""

    def compiled(self, source, options, target):
        """The PTX of a kernel of a module."""
        own, constants, options = sorted_options(options)
        number = re.fullmatch(r"sm_(\d+)a?", target)
        if not number:
            raise Rejected(f"unknown target {target}")
        target, path = GPUTarget("cuda", int(number[1]), LANES), own.get("--file", "source.py")
        driver.set_active(Driver(target))
        module = loaded(source, path)
        kernel, wrappers = chosen(module, own.get("--kernel"), path, lambda each: isinstance(each, JITFunction))
        if getattr(kernel, "is_gluon", lambda: False)():
            raise Rejected(f"`{kernel.__name__}` is a kernel of Gluon, whose layouts are not known here")
        constants, options, words = tuned(wrappers, constants, options)
        types, values, multiples, guessed = typed(kernel, own, constants, options)
        words += [f"{name} is a guess" for name in guessed]

        def compiled():
            taken = ASTSource(fn=kernel, signature=types, constexprs=values, attrs=multiples)
            return triton.compile(taken, target=target, options=options).asm

        try:
            made = compiled()
        except CompilationError as error:
            raise Rejected(place(error, module, path)) from error
        except RuntimeError as error:
            raise Rejected(f"{failed(error, path)} {complaints(compiled)}".rstrip()) from error
        except Exception as error:
            raise Rejected(failed(error, path)) from error
        head = f"// {kernel.__name__}({shown(types, values, multiples)})"
        if options:
            head += " with " + ", ".join(f"{name}={value}" for name, value in sorted(options.items()))
        apart = distance(made["ttgir"])
        lines = ["; ".join([head, *words]), *([f"{APART}{apart}"] if apart else []), made["ptx"]]
        return "\n".join(lines)


if __name__ == "__main__":
    serve(Compiler)
