//! The kinds that faults are of, and the parameters of those that have one.

use formats::Format;

use super::{Fault, Places};

impl Fault {
    /// Whether the fault is about results that are too large.
    pub fn overflows(self) -> bool {
        use Fault::*;
        matches!(
            self,
            OverflowToMax
                | OverflowToInfinity
                | OverflowWrongSide
                | OverflowTieKept
                | OverflowAtMax
                | OverflowBeforeRounding
                | OverflowKeepsSignificand
                | OverflowOrsInfinity
                | OverflowExponentWraps
                | OverflowToZero
                | NextBinadeIsZero
                | NanPlaceIsMax
        )
    }

    /// Whether the fault is about the rounding of numbers that have to be rounded, and nothing else.
    pub fn only_rounds(self) -> bool {
        use Fault::*;
        let direction = matches!(
            self,
            NearestInstead | TowardZeroDown | DownTowardZero | UpTowardZero | DirectionOfMagnitude
        );
        let nearest =
            matches!(self, TiesAway | TiesToOdd | TiesTowardZero | TiesUp | AwayTiesEven | Truncated);
        let carry = matches!(self, CarryLost | CarryOred | PowerNearest);
        let places = self.sticky_places().is_some() || self.intermediate_format().is_some();
        direction || nearest || carry || places || self.bits_lost().is_some()
    }

    /// Whether the fault says what becomes of numbers that are too large or too small for an integer. No two such faults go
    /// together.
    pub fn limits(self) -> bool {
        use Fault::*;
        matches!(
            self,
            Wraps | WrapsFrom64 | WrapsFromClamped(_) | Indefinite | UnsignedIndefinite | NegativeIsZero
        )
    }

    /// Returns the format that an exact result is rounded to first, if the fault is of that kind.
    pub fn intermediate_format(self) -> Option<&'static Format> {
        match self {
            Fault::Through(format) | Fault::ThroughTruncated(format) | Fault::NudgedWrongWay(format) => {
                Some(format)
            }
            _ => None,
        }
    }

    /// Returns the number of bits below the last place of the larger term from which those of the smaller one are a sticky
    /// bit that is always added, if the fault is of that kind.
    pub fn bits_above_sticky(self) -> Option<u32> {
        match self {
            Fault::StickyAdded(bits) => Some(bits),
            _ => None,
        }
    }

    /// Returns the number of bits that the smaller term of a sum keeps below the last place of the larger one, if the
    /// fault is of that kind.
    pub fn bits_of_smaller_term(self) -> Option<u32> {
        match self {
            Fault::TermCut(bits) => Some(bits),
            _ => None,
        }
    }

    /// Returns the number that a count of places is taken modulo, if the fault shifts terms or results by such a count.
    pub fn shift_modulus(self) -> Option<u32> {
        match self {
            Fault::AlignmentModulo(width)
            | Fault::ShiftModulo(width)
            | Fault::WholeShiftModulo(width) => Some(width),
            _ => None,
        }
    }

    /// Returns the width of the integers that integral numbers go through, if the fault is of that kind.
    pub fn integral_width(self) -> Option<u32> {
        match self {
            Fault::IntegralThrough(width) | Fault::IntegralClamped(width) => Some(width),
            _ => None,
        }
    }

    /// Returns the number that the count of a number's integral bits is taken modulo, if the fault is of that kind.
    pub fn integral_bits_modulus(self) -> Option<u32> {
        match self {
            Fault::IntegralBitsModulo(width) => Some(width),
            _ => None,
        }
    }

    /// Returns the width of the integers whose low bits are kept, if the fault is of that kind.
    pub fn clamped_width(self) -> Option<u32> {
        match self {
            Fault::WrapsFromClamped(width) => Some(width),
            _ => None,
        }
    }

    /// Returns the places below the last place of the result whose bits are lost or count twice, if the fault is of that
    /// kind.
    pub fn bits_lost(self) -> Option<Places> {
        match self {
            Fault::BitLost(place) | Fault::BitTwice(place) => Some(Places(place, place)),
            Fault::CarriedBitLost(place) | Fault::CancelledBitLost(place) => Some(Places(place, place)),
            Fault::StickyOnly(Places(2, last)) => Some(Places(last + 1, u32::MAX)),
            Fault::StickyOnly(_) | Fault::OnlyHalfCounts => Some(Places(2, u32::MAX)),
            _ => None,
        }
    }

    /// Whether the fault loses discarded bits and adds none.
    pub fn only_loses_bits(self) -> bool {
        self.bits_lost().is_some() && !matches!(self, Fault::BitTwice(_))
    }

    /// Returns the number of places below which bits do not count, if the fault is of that kind.
    pub fn sticky_places(self) -> Option<u32> {
        match self {
            Fault::StickyLost(places) => Some(places),
            _ => None,
        }
    }
}
