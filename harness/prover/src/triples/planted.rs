//! Faults that are planted for one pair or one triple, to see that a proof finds them.

use std::str::FromStr;

use emulator::stages::{Basis, ProductKind, Products, Stages};

use super::ProofSubject;

/// A fault to plant: where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last bit of this pair's product is changed.
    Product([u16; 2]),
    /// The last bit of the sum of this pair's product and this addend is changed.
    Sum([u16; 3]),
}

impl FromStr for Fault {
    type Err = String;

    /// Parses two or three operands: with two the product is wrong, with three the sum.
    fn from_str(text: &str) -> Result<Fault, String> {
        let number = |text: &str| {
            let digits = text.trim().strip_prefix("0x").map(|digits| u16::from_str_radix(digits, 16));
            digits.unwrap_or_else(|| text.trim().parse())
        };
        let operands: Result<Vec<u16>, _> = text.split(',').map(number).collect();
        match operands.as_deref() {
            Ok(&[a, b]) => Ok(Fault::Product([a, b])),
            Ok(&[a, b, c]) => Ok(Fault::Sum([a, b, c])),
            _ => Err("write two operands or three, of 16 bits each, like 0x3c00,0x3c01,0x1234".into()),
        }
    }
}

/// A machine with a fault planted in it.
struct PlantedFault {
    machine: Box<dyn Stages>,
    fault: Fault,
    /// The product that the fault is about: kind, significand, exponent.
    product: [u32; 3],
}

impl Fault {
    /// Returns the subject with this fault in its machine.
    pub fn planted_in(self, subject: ProofSubject) -> ProofSubject {
        let (Fault::Product([a, b]) | Fault::Sum([a, b, _])) = self;
        let mut products = Products::default();
        subject.machine.products([&[a.into()], &[b.into()]], &mut products);
        let Products { kinds, significands, exponents } = products;
        let product = [kinds[0], significands[0], exponents[0]];
        ProofSubject {
            machine: Box::new(PlantedFault { machine: subject.machine, fault: self, product }),
            ..subject
        }
    }
}

impl Stages for PlantedFault {
    fn basis(&self) -> Basis {
        self.machine.basis()
    }

    fn products(&self, [a, b]: [&[u32]; 2], products: &mut Products) {
        self.machine.products([a, b], products);
        let Fault::Product([x, y]) = self.fault else { return };
        for (at, pair) in a.iter().zip(b).enumerate() {
            if pair == (&x.into(), &y.into()) {
                // Below this bit every product has zeros alone.
                products.significands[at] ^= 1 << self.basis().spare_bits();
            }
        }
    }

    fn sums(&self, kind: ProductKind, magnitudes: [&[u32]; 2], addend: u32, sums: &mut [u32]) {
        self.machine.sums(kind, magnitudes, addend, sums);
        let Fault::Sum([.., c]) = self.fault else { return };
        if addend != u32::from(c) || kind.0 != self.product[0] {
            return;
        }
        let [significands, exponents] = magnitudes;
        for (at, magnitude) in significands.iter().zip(exponents).enumerate() {
            if magnitude == (&self.product[1], &self.product[2]) {
                sums[at] ^= 1;
            }
        }
    }

    fn end(&self, sum: u32) -> u32 {
        self.machine.end(sum)
    }
}
