"""The package ml_dtypes: the formats of machine learning as numpy's types. numpy itself has f16, f32 and
f64. All round to nearest, and what overflows becomes an infinity, or NaN where there is none, or the
largest number where there is neither."""

from protocol import load, numpy, serve
from registers import column_of, inputs, lanes_of, split
from sums import NARROW, bare, parsed, rows_of

ml_dtypes = load("ml_dtypes")

INTEGERS = {
    "u8": numpy.uint8, "u16": numpy.uint16, "u32": numpy.uint32, "u64": numpy.uint64,
    "s8": numpy.int8, "s16": numpy.int16, "s32": numpy.int32, "s64": numpy.int64,
}  # fmt: skip
WIDE = {
    "f16": numpy.float16, "bf16": ml_dtypes.bfloat16, "f32": numpy.float32, "f64": numpy.float64
}  # fmt: skip
# In these all encodings are numbers, so a conversion to them cannot but saturate.
FINITE = {
    "e2m1": ml_dtypes.float4_e2m1fn,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e3m2": ml_dtypes.float6_e3m2fn,
}
BYTES = {
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "e4m3ieee": ml_dtypes.float8_e4m3,
    "e3m4": ml_dtypes.float8_e3m4,
    "e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz,
}
# Its conversion to this one rounds to nearest, as casts do and none of PTX's conversions does.
POWERS = {"ue8m0": ml_dtypes.float8_e8m0fnu}
SOURCES = INTEGERS | WIDE | FINITE | BYTES | POWERS

ARITHMETIC = {"add": numpy.add, "sub": numpy.subtract, "mul": numpy.multiply}
ROUNDED = {"div": numpy.divide, "sqrt": numpy.sqrt, "rcp": numpy.reciprocal}
EXTREMA = {"min": numpy.fmin, "max": numpy.fmax}
EXTREMA_WITH_NAN = {"min": numpy.minimum, "max": numpy.maximum}
FUNCTIONS = {
    "sin": numpy.sin, "cos": numpy.cos, "lg2": numpy.log2, "ex2": numpy.exp2, "tanh": numpy.tanh,
    "sqrt": numpy.sqrt, "rcp": numpy.reciprocal,
}  # fmt: skip
COMPARISONS = {
    "eq": numpy.equal, "neu": numpy.not_equal, "lt": numpy.less, "le": numpy.less_equal,
    "gt": numpy.greater, "ge": numpy.greater_equal,
}  # fmt: skip


def numbers(lanes, name):
    """Lanes as numbers of the format of a type."""
    return lanes.view(SOURCES[split(name)[0]])


def encodings(lanes):
    return lanes.view(f"u{lanes.dtype.itemsize}")


def elementwise(function, name):
    """A function of numbers of one type."""

    def compute(*columns):
        operands = [numbers(lanes_of(column, name), name) for column in columns]
        return column_of(encodings(function(*operands)), name)

    return compute


def comparison(function, name, true):
    """A comparison, which writes `true` or 0."""

    def compute(*columns):
        a, b = (numbers(lanes_of(column, name), name)[:, 0] for column in columns)
        return numpy.where(function(a, b), true, true.dtype.type(0))

    return compute


def conversion(to, source):
    target = SOURCES[split(to)[0]]

    def compute(*columns):
        lanes = numbers(inputs(columns, source, split(to)[1]), source)
        return column_of(encodings(lanes.astype(target)), to)

    return compute


# Rows and columns of a tile, of which those dot products that are asked for are the diagonal.
TILE = 8


def tiles(column, name, count):
    """The elements of a column as tiles, of vectors of them; rows of zeros fill the last."""
    bits = bare(column, name) if name in NARROW else rows_of(column, "u1")
    elements = bits.view(SOURCES[name])
    filled = numpy.zeros((count * TILE, elements.shape[1]), elements.dtype)
    filled[: len(elements)] = elements
    return filled.reshape(count, TILE, -1)


def dot_products(form):
    """What a product of matrices gives in the type of the result, and the addend added to it."""
    kind = WIDE[form.d]

    def compute(a, b, c):
        rows, count = len(c), -(-len(c) // TILE)
        left, right = tiles(a, form.a, count), tiles(b, form.b, count)
        products = numpy.matmul(left, right.transpose(0, 2, 1), dtype=kind)
        diagonal = numpy.diagonal(products, axis1=1, axis2=2).reshape(-1)[:rows]
        return encodings(diagonal + c.view(WIDE[form.c]).astype(kind))

    return compute


def sum_of(variant):
    """The function of a matrix instruction, if numpy has its types and rounding."""
    form = parsed(variant)
    if form is None or form.family not in ("mma", "wmma") or form.scale:
        return None
    if not {form.a, form.b} <= SOURCES.keys() or {"rz", "rm", "rp"} & set(form.words):
        return None
    try:
        # numpy finds out from types alone whether it has a product of these in that type.
        numpy.matmul(*(numpy.zeros((1, 1), SOURCES[name]) for name in (form.a, form.b)), dtype=WIDE[form.d])
    except TypeError:
        return None
    # A sum in f32 whose result is to be f16 is two functions.
    return None if (form.d, form.c) == ("f16", "f32") else dot_products(form)


def find(variant):
    """The function that computes a variant, if the library has it."""
    if variant.startswith(("mma.", "wmma.")):
        return sum_of(variant)
    match [word for word in variant.split(".") if word != "rn"]:
        case [operation, name] if operation in ARITHMETIC and name in WIDE:
            return elementwise(ARITHMETIC[operation], name)
        case ["add" | "sub" as operation, "e4m3x4" | "e5m2x4" as name, other] if name == other:
            return elementwise(ARITHMETIC[operation], name)
        case ["mul", "e4m3x4" | "e5m2x4" as name, other, third] if name == other == third:
            return elementwise(numpy.multiply, name)
        case [operation, "f32" | "f64" as name] if operation in ROUNDED and ".rn." in variant:
            return elementwise(ROUNDED[operation], name)
        case [operation, name] if operation in EXTREMA and name in WIDE:
            return elementwise(EXTREMA[operation], name)
        case [operation, "NaN", name] if operation in EXTREMA and name in WIDE:
            return elementwise(EXTREMA_WITH_NAN[operation], name)
        case [operation, "approx", name] if operation in FUNCTIONS and name in WIDE:
            return elementwise(FUNCTIONS[operation], name)
        case ["setp", word, "f16" | "bf16" as name] if word in COMPARISONS:
            return comparison(COMPARISONS[word], name, numpy.uint8(1))
        case ["setp", word, "f32(p)" | "f64(p)" as name] if word in COMPARISONS:
            return comparison(COMPARISONS[word], name.removesuffix("(p)"), numpy.uint8(1))
        case ["set", word, "u32", name] if word in COMPARISONS and name in WIDE:
            return comparison(COMPARISONS[word], name, numpy.uint32(0xFFFFFFFF))
        case ["cvt" | "cast" as operation, to, source] if to != source and split(source)[0] in SOURCES:
            if split(to)[0] in WIDE | BYTES:
                return conversion(to, source)
            if operation == "cast" and to in POWERS:
                return conversion(to, source)
        case ["cvt" | "cast", "satfinite", to, source] if split(source)[0] in SOURCES:
            if split(to)[0] in FINITE:
                return conversion(to, source)
    return None


if __name__ == "__main__":
    serve("ml_dtypes", find)
