//! `conformance explain`: what happens to the operands of one vector, step by step.

use std::process::ExitCode;

use base::terminal::say;
use clap::Args;

use super::own_formats::{self, FormatWord, Nothing, OWN_FORMATS};
use super::{AGREE, Ending, print};

const BITS: &str = "\
Operands in the order of the PTX manual. Each has one of these forms.

  0x3e00                   bits of the register in hexadecimal
  =1.5                     a number: decimal, like =-2e-3; a multiple of a power of
                           two, like =2^-24 or =1.5*2^10; =inf or =nan
  =1,2                     numbers of a register of two lanes, the lowest lane first

A number that the format does not have is rounded to the nearest number of the format, and a note says so.

For a matrix instruction, one element of the result is explained: a sum of products and an addend. Give either every \
operand as a whole, or single elements. A whole operand is one hexadecimal number, as in a report. A single element of \
A or B is named by its place, the number of the product that it is a factor of. The first product has number 0:

  0:3c00*3c00              product of an element of A and one of B, in place 0
  4-7:c00*c00              one such product in each of the places 4 to 7
  c=3f800000               addend
  scale-a=7f,80            scales of A, one for each block; a block is a run of
                           products with the same scales
  scale-b=7f,80            scales of B, one for each block
  metadata=4,e,4,9         for a sparse A: four bits for each chunk. Half of the
                           elements of a chunk are stored; the bits say which ones
                           [default: the elements that are not zero]
  scale-d=0                wgmma: do not add the addend
  imm-scale-a=-1           wgmma: negate A
  imm-scale-b=-1           wgmma: negate B
  enable-input-d=0         tcgen05: do not add the addend
  negate-a=1               tcgen05: negate A
  negate-b=1               tcgen05: negate B
  scale-input-d=3          tcgen05 of f16 and tf32: divide the addend by 2^3

Bits are hexadecimal, other numbers decimal. A missing element is 0, a missing scale 1.";

/// Show step by step how PTX computes one result.
///
/// The steps are: the operands as numbers, the exact result, and how the result is rounded, flushed and clamped.
/// The last lines are the results that common mistakes would give.
///
/// Exit code: 0 on success; 2 if the variant or an operand cannot be read.
#[derive(Args)]
pub struct Arguments {
    /// Variant of an instruction, such as `fma.rn.ftz.f16`.
    variant: String,
    /// Operands in the order of the PTX manual: bits in hexadecimal, like 0x3e00, or numbers, like =1.5;
    /// --help has all forms.
    #[arg(required = true, long_help = BITS)]
    bits: Vec<String>,
    /// Number format of your own, for casts, such as `mine=e5m10,bias=15`, or `@FILE` with several; --help explains
    /// the form. May be repeated.
    #[arg(long = "format", value_name = "FORMAT", value_parser = own_formats::word::<Nothing>)]
    #[arg(long_help = format!("Description of a number format of your own.\n\n{OWN_FORMATS}"))]
    formats: Vec<FormatWord<Nothing>>,
}

/// Runs `conformance explain`.
pub fn run(arguments: &Arguments) -> Ending {
    own_formats::define(&arguments.formats)?;
    let (page, notes) = explain::page(&arguments.variant, &arguments.bits)?;
    notes.iter().for_each(|note| say(&format!("note: {note}")));
    print(&page)?;
    Ok(ExitCode::from(AGREE))
}
