"""Rounding in exact fractions: a reference that shares nothing with the suite."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Format:
    """An IEEE-like format, or e4m3, which has numbers in place of infinities."""

    exponent: int
    trailing: int
    has_infinity: bool = True

    @property
    def bias(self) -> int:
        return 2 ** (self.exponent - 1) - 1

    @property
    def largest(self) -> int:
        """The bits of the largest number."""
        everything = (1 << (self.exponent + self.trailing)) - 1
        return everything - (1 << self.trailing) if self.has_infinity else everything - 1

    def value(self, bits: int) -> Fraction | None:
        """The number of some bits; None for infinities and NaN."""
        sign = -1 if bits >> (self.exponent + self.trailing) else 1
        magnitude = bits & ((1 << (self.exponent + self.trailing)) - 1)
        if magnitude > self.largest:
            return None
        field, fraction = magnitude >> self.trailing, magnitude & ((1 << self.trailing) - 1)
        significand = fraction + (1 << self.trailing if field else 0)
        return sign * significand * Fraction(2) ** (max(field, 1) - self.bias - self.trailing)

    def nearest(self, number: Fraction, saturate: bool = False) -> int:
        """The bits of the nearest number that is not zero, ties to even; negative numbers have the highest bit."""
        sign = (1 << (self.exponent + self.trailing)) if number < 0 else 0
        number = abs(number)
        exponent = 1 - self.bias
        while number >= Fraction(2) ** (exponent + 1):
            exponent += 1
        unit = Fraction(2) ** (exponent - self.trailing)
        units = number / unit
        whole, rest = divmod(units.numerator, units.denominator)
        twice = 2 * rest - units.denominator
        whole += twice > 0 or (twice == 0 and whole & 1)
        # A carry into the next binade is the next bits as well.
        bits = whole + ((exponent - 1 + self.bias) << self.trailing)
        if bits > self.largest:
            bits = self.largest if saturate else self.largest + 1
        return sign | bits


F16 = Format(5, 10)
BF16 = Format(8, 7)
F32 = Format(8, 23)
E4M3 = Format(4, 3, has_infinity=False)
E5M2 = Format(5, 2)
