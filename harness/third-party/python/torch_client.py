"""The package torch on the processor: arithmetic and conversions to nearest, and functions, of f16,
bf16, f32 and f64, and conversions to and from formats of 8 bits."""

from protocol import load, numpy, serve
from registers import column_of, lanes_of

torch = load("torch")
# One thread computes; the suite starts as many clients as it wants.
torch.set_num_threads(1)

WIDE = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
BYTES = {
    "e4m3": torch.float8_e4m3fn,
    "e5m2": torch.float8_e5m2,
    "e4m3fnuz": torch.float8_e4m3fnuz,
    "e5m2fnuz": torch.float8_e5m2fnuz,
}
TYPES = WIDE | BYTES
# What overflows becomes the largest number in this one; an infinity or NaN in the others.
SATURATED = {"e4m3"}

ARITHMETIC = {"add": torch.add, "sub": torch.sub, "mul": torch.mul}
ROUNDED = {"div": torch.div, "sqrt": torch.sqrt, "rcp": torch.reciprocal}
EXTREMA = {"min": torch.fmin, "max": torch.fmax}
EXTREMA_WITH_NAN = {"min": torch.minimum, "max": torch.maximum}
FUNCTIONS = {
    "sin": torch.sin, "cos": torch.cos, "lg2": torch.log2, "ex2": torch.exp2, "tanh": torch.tanh,
    "sqrt": torch.sqrt, "rcp": torch.reciprocal, "rsqrt": torch.rsqrt,
}  # fmt: skip

# Torch has all widths of integers only with a sign; as they are only carriers of bits, that will do.
CARRIERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def tensor(column, name):
    """A column as a tensor of a type."""
    codes = lanes_of(column, name)[:, 0]
    signed = codes if codes.itemsize == 1 else codes.view(f"<i{codes.itemsize}")
    # What came from the suite cannot be written to, which torch would not know.
    return torch.from_numpy(signed.copy()).view(TYPES[name])


def column(numbers, name):
    """The column of a tensor."""
    codes = numbers.view(CARRIERS[numbers.element_size()]).numpy()
    return column_of(codes.reshape(-1, 1).view(f"<u{codes.itemsize}"), name)


def elementwise(function, name):
    """A function of numbers of one type."""
    return lambda *columns: column(function(*(tensor(one, name) for one in columns)), name)


def conversion(to, source):
    return lambda one: column(tensor(one, source).to(TYPES[to]), to)


def find(variant):
    """The function that computes a variant, if the library has it."""
    match [word for word in variant.split(".") if word != "rn"]:
        case [operation, name] if operation in ARITHMETIC and name in WIDE:
            return elementwise(ARITHMETIC[operation], name)
        case [operation, "f32" | "f64" as name] if operation in ROUNDED and ".rn." in variant:
            return elementwise(ROUNDED[operation], name)
        case [operation, name] if operation in EXTREMA and name in WIDE:
            return elementwise(EXTREMA[operation], name)
        case [operation, "NaN", name] if operation in EXTREMA and name in WIDE:
            return elementwise(EXTREMA_WITH_NAN[operation], name)
        case [operation, "approx", name] if operation in FUNCTIONS and name in WIDE:
            return elementwise(FUNCTIONS[operation], name)
        case ["cvt" | "cast", to, source] if to != source and {to, source} <= TYPES.keys():
            return None if to in SATURATED else conversion(to, source)
        case ["cast", "satfinite", to, source] if to in SATURATED and source in WIDE:
            return conversion(to, source)
    return None


if __name__ == "__main__":
    serve("torch", find)
