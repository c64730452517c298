//! The sweep `padding`: register bits that belong to no element, and of which the manual does not say that they are
//! zero.

use formats::FormatId;

use super::{DotSweep, Length, Maker, Role, exact, random};

pub const SWEEP: DotSweep = DotSweep {
    name: "padding",
    targets: "Bits beside an element that are read all the same.",
    length: |variant| {
        let multiplied = |role| matches!(role, Role::A | Role::B);
        let padded =
            variant.operands().iter().any(|operand| multiplied(operand.role) && operand.ignored() > 0);
        // Only for `wgmma` the manual says what becomes of the lower bits of tf32.
        let said = variant.dot().a.id != FormatId::Tf32 || variant.words()[0] == "wgmma";
        if padded && said { Length::Endless } else { Length::None }
    },
    make,
};

/// Makes a vector of exact or of random sums, with junk in the padding.
fn make(maker: &mut Maker) {
    maker.junk = Some(maker.draws.next());
    match maker.draws.flag() {
        true => exact::make(maker),
        false => random::make(maker),
    }
}
