"""The package gfloat: conversions among the formats that it describes, and six that it leaves to its
users to describe, in all its roundings, saturating or not. It rounds doubles, which hold any operand."""

from protocol import load, numpy, serve
from registers import column_of, inputs, split

gfloat = load("gfloat")
formats = load("gfloat.formats")



def described(name, bits, precision, bias, domain, nans):
    """A format as its users describe them. Without high NaNs, NaN is in the place of -0."""
    return gfloat.FormatInfo(
        name=name,
        k=bits,
        precision=precision,
        bias=bias,
        is_signed=True,
        domain=domain,
        has_nz=nans > 0,
        num_high_nans=nans,
        has_subnormals=True,
        is_twos_complement=False,
    )


FORMATS = {
    "f16": formats.format_info_binary16,
    "bf16": formats.format_info_bfloat16,
    "f32": formats.format_info_binary32,
    "f64": formats.format_info_binary64,
    "e4m3": formats.format_info_ocp_e4m3,
    "e5m2": formats.format_info_ocp_e5m2,
    "e2m3": formats.format_info_ocp_e2m3,
    "e3m2": formats.format_info_ocp_e3m2,
    "e2m1": formats.format_info_ocp_e2m1,
    "ue8m0": formats.format_info_ocp_e8m0,
    "s2f6": formats.format_info_ocp_int8,
    "tf32": described("tf32", 19, 11, 127, gfloat.Domain.Extended, 1023),
    "e4m3fnuz": described("e4m3fnuz", 8, 4, 8, gfloat.Domain.Finite, 0),
    "e5m2fnuz": described("e5m2fnuz", 8, 3, 16, gfloat.Domain.Finite, 0),
    "e4m3ieee": described("e4m3ieee", 8, 4, 7, gfloat.Domain.Extended, 7),
    "e3m4": described("e3m4", 8, 5, 3, gfloat.Domain.Extended, 15),
    "e4m3b11fnuz": described("e4m3b11fnuz", 8, 4, 11, gfloat.Domain.Finite, 0),
}
ROUNDINGS = {
    "rn": gfloat.RoundMode.TiesToEven,
    "rna": gfloat.RoundMode.TiesToAway,
    "rz": gfloat.RoundMode.TowardZero,
    "rm": gfloat.RoundMode.TowardNegative,
    "rp": gfloat.RoundMode.TowardPositive,
    # Away from zero if the discarded bits and the random ones, as many as there are, carry.
    "rs": gfloat.RoundMode.StochasticFastest,
}


def converts_to(name):
    """It raises an error for NaN where the format has none, and has no rule for negative numbers where
    there is no sign; PTX has a result for both."""
    info = FORMATS.get(split(name)[0])
    return info is not None and info.num_nans > 0 and info.is_signed


def random_bits(column, to):
    """The random bits of each lane, and how many they are. The first pair has the upper half."""
    name, lanes = split(to)
    low, high = (column & 0xFFFF).astype(int), (column >> 16).astype(int)
    if name == "f16":
        return numpy.stack([low & 0x1FFF, high & 0x1FFF], axis=1), 13
    return numpy.stack([low, high] if lanes == 2 else [low, low, high, high], axis=1), 16


def conversion(to, source, rounding, saturate):
    origin, target = FORMATS[split(source)[0]], FORMATS[split(to)[0]]

    def compute(*columns):
        random = ()
        if rounding == ROUNDINGS["rs"]:
            *columns, bits = columns
            random = random_bits(bits, to)
        values = gfloat.decode_ndarray(origin, inputs(columns, source, split(to)[1]))
        rounded = gfloat.round_ndarray(target, values, rounding, saturate, *random)
        return column_of(gfloat.encode_ndarray(target, rounded), to)

    return compute


def find(variant):
    """The function that computes a variant, if the library has it."""
    match variant.split("."):
        case ["cvt" | "cast", *modifiers, to, source]:
            pass
        case _:
            return None
    if not converts_to(to) or to == source or split(source)[0] not in FORMATS:
        return None
    match modifiers:
        case []:  # a larger format, so there is nothing to round
            return conversion(to, source, ROUNDINGS["rn"], False)
        case [word] if word in ROUNDINGS:
            return conversion(to, source, ROUNDINGS[word], False)
        case [word, "satfinite"] if word in ROUNDINGS:
            return conversion(to, source, ROUNDINGS[word], True)
    return None


if __name__ == "__main__":
    serve("gfloat", find)
