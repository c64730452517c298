"""Runs a user's file of Python, and says what went wrong there by the line of that file."""

import linecache
import sys
import traceback
import types
from pathlib import Path

from folder import Rejected

# How many letters of an error are told, and of the line that it is of.
WORDS, LINE = 1000, 200
# Packages that files of kernels import beside the kernel's own, and that no kernel needs to be compiled.
HOSTS = ("torch", "numpy")


class Absent:
    """Something of a package that is not installed. It may be named, called and inherited from, as files of kernels do
    beside their kernels; nothing may depend on what it is."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Absent(f"{self._name}.{name}")

    def __call__(self, *given, **named):
        # As a decorator, it leaves a function as it is.
        if len(given) == 1 and not named and isinstance(given[0], types.FunctionType):
            return given[0]
        return Absent(f"{self._name}(…)")

    def __getitem__(self, key):
        return Absent(f"{self._name}[…]")

    def __mro_entries__(self, bases):
        return ()

    def __repr__(self):
        return self._name

    def __or__(self, other):
        # A type, or None.
        return Absent(f"{self._name} | …")

    __ror__ = __or__

    def __hash__(self):
        return hash(self._name)

    def __eq__(self, other):
        return self._name == other._name if isinstance(other, Absent) else self.refused()

    def refused(self, *_):
        remedy = 'move what needs it under `if __name__ == "__main__":`'
        raise ModuleNotFoundError(f"`{self._name}` is of a package that is not installed here: {remedy}")

    __bool__ = __iter__ = __len__ = __index__ = __int__ = __float__ = __enter__ = __exit__ = refused
    __lt__ = __le__ = __gt__ = __ge__ = refused
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = refused
    __floordiv__ = __rfloordiv__ = __mod__ = __pow__ = __neg__ = __contains__ = refused


class AbsentModule(types.ModuleType):
    """A package that is not installed."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{self.__name__}.{name}")


class AbsentPackages:
    """Finds packages that are not installed, and their modules, where nothing else finds them."""

    def find_spec(self, name, path=None, target=None):
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self, is_package=True) if name.split(".")[0] in HOSTS else None

    def create_module(self, spec):
        return AbsentModule(spec.name)

    def exec_module(self, module):
        pass


def in_one_line(words, most=WORDS):
    """Words without line feeds, and not too many of them."""
    line = " ".join(words.split())
    return line if len(line) <= most else f"{line[:most]}…"


def first_line(error):
    """An error in one line."""
    return in_one_line(f"{type(error).__name__}: {error}".rstrip(": "))


def placed(path, number, words):
    """Words about a line of a file, which is quoted."""
    text = in_one_line(linecache.getline(str(path), number), LINE)
    return f"{path}:{number}: " + (f"`{text}`: {words}" if text else words)


def failed(error, path):
    """What went wrong in a file: the last of its lines that was executed, or the one that cannot be read."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return placed(path, error.lineno or 1, f"{type(error).__name__}: {error.msg}")
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    words = first_line(error)
    if not lines:
        return f"{path}: {words}"
    return placed(path, lines[-1], words)


def loaded(source, path):
    """The module that a file is, whose text is given. It is executed, though not as the main program."""
    # The text of a function is read again, by the name of its file: it is the text that was given.
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    # A name of its own: the file may be called like a module that Triton needs.
    folder, name = str(Path(path).resolve().parent), f"judged_{Path(path).stem}"
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    sys.path.insert(0, folder)
    sys.argv = [path]
    if not any(isinstance(finder, AbsentPackages) for finder in sys.meta_path):
        sys.meta_path.append(AbsentPackages())
    try:
        exec(compile(source, path, "exec"), module.__dict__)
    except BaseException as error:  # exit() is no end of the client
        raise Rejected(failed(error, path)) from error
    return module
