"""The suite's protocol for libraries of arrays: the columns of its frames become numpy arrays.

A client finds, for a variant, a function from the columns of operands to the column of results, all of
them arrays of unsigned integers, and calls `serve`. A column that is wider than any integer, several
elements of a matrix, is bytes in two dimensions. The rows of which there is no result are those that
numpy.ma masks in the column of results.
"""

import functools
import importlib
import importlib.metadata

import frames
from installed import missing


def load(name):
    """Imports a package, or ends with the remedy."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing(error.name)


numpy = load("numpy")


def title(package):
    """What the report is to call a package that computes, which numpy has a part in."""
    versions = [importlib.metadata.version(name) for name in (package, "numpy")]
    return f"{package} {versions[0]} with numpy {versions[1]}"


def column(data, width):
    """The column of so many bytes a row that lies in bytes."""
    if width in frames.CODES:
        return numpy.frombuffer(data, dtype=f"<u{width}")
    return numpy.frombuffer(data, dtype="u1").reshape(-1, width)


def message(results):
    """The message that answers with a column of results."""
    without = numpy.flatnonzero(numpy.ma.getmaskarray(results)).astype("<u4")
    line = f"results but {len(without)}\n" if len(without) else "results\n"
    return line.encode() + without.tobytes() + numpy.ma.getdata(results).tobytes()


def serve(package, find, name=None):
    """Answers until there are no more messages. `find` gives None for what the package lacks, or raises
    Unable. `name` is what the report is to call it, where that is not the package's name and version."""
    find = functools.cache(find)
    # Overflow and the like are what is asked about; nobody reads warnings.
    numpy.seterr(all="ignore")

    def supports(variant):
        if find(variant) is None:
            raise frames.Unable(f"{package} has no function for it")

    def batch(source, variant, rows, operands, results):
        columns = [column(frames.exactly(source, rows * width), width) for width in operands]
        try:
            found = find(variant)(*columns)
        except Exception as error:  # whatever the library raises is its answer
            raise frames.Unable(f"{type(error).__name__}: {' '.join(str(error).split())}") from error
        expected = ([found.dtype.itemsize], found.shape) == (results, (rows,))
        assert expected, f"{variant}: {found.dtype}"
        return message(found)

    frames.serve(name or title(package), supports, batch)
