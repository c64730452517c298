"""The suite's protocol for libraries of arrays: the columns of its frames become numpy arrays.

A client finds, for a variant, a function from the columns of operands to the column of results, all of
them arrays of unsigned integers, and calls `serve`.
"""

import functools
import importlib
import importlib.metadata

import frames


def load(name):
    """Imports a package, or ends with the remedy."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        frames.missing(error.name)


numpy = load("numpy")


def title(package):
    """What the report is to call a package that computes, which numpy has a part in."""
    versions = [importlib.metadata.version(name) for name in (package, "numpy")]
    return f"{package} {versions[0]} with numpy {versions[1]}"


def serve(package, find):
    """Answers until there are no more messages. `find` gives None for what the package lacks."""
    find = functools.cache(find)
    # Overflow and the like are what is asked about; nobody reads warnings.
    numpy.seterr(all="ignore")

    def supports(variant):
        if find(variant) is None:
            raise frames.Unable(f"{package} has no function for it")

    def batch(source, variant, rows, operands, results):
        columns = [
            numpy.frombuffer(frames.exactly(source, rows * width), dtype=f"<u{width}")
            for width in operands
        ]
        try:
            column = find(variant)(*columns)
        except Exception as error:  # whatever the library raises is its answer
            raise frames.Unable(f"{type(error).__name__}: {' '.join(str(error).split())}") from error
        expected = ([column.dtype.itemsize], column.shape) == (results, (rows,))
        assert expected, f"{variant}: {column.dtype}"
        return b"results\n" + column.tobytes()

    frames.serve(title(package), supports, batch)
