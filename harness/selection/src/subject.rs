//! Subjects, the variants and matrix instructions that plans and reports are about, and the vectors asked of
//! them.

use std::fmt;

use anyhow::{Result, bail};
use base::invocation;
use formats::{Column, FormatId};
use isa::matrix::{DotOperand, MatrixVariant, is_matrix};
use isa::{Type, Variant};
use reports::excerpt;
use sweeps::matrix::DotSweep;
use sweeps::{Length, Sequence, Sweep};

use crate::VectorList;

/// The most characters that the name of a subject has.
const NAME_MAX: usize = 200;

/// Checks the length of what somebody typed as a name, or as a pattern for names, before anything is made of
/// it.
///
/// # Errors
/// If the text is longer than any name.
pub(crate) fn short_enough(text: &str) -> Result<()> {
    let characters = text.chars().count();
    if characters > NAME_MAX {
        bail!(
            "`{}` is not legal: it has {characters} characters, and no name has more than {NAME_MAX}; \
             `{}` prints them",
            excerpt(text),
            invocation::line("list")
        );
    }
    Ok(())
}

/// The subject of a task, and so of a class, a waiver, a diagnosis and a replay: a variant or a matrix
/// instruction. Only code that works with one kind alone takes it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A variant, whose results are held against its contract.
    Variant(&'static Variant),
    /// A matrix instruction, of which every element is a dot product.
    Matrix(&'static MatrixVariant),
}

impl Subject {
    /// Returns the subject's name in plans, states and reports; classes are called after it.
    pub fn id(&self) -> &'static str {
        match self {
            Subject::Variant(variant) => variant.text(),
            Subject::Matrix(variant) => variant.text(),
        }
    }

    /// Returns the subject that has a name.
    ///
    /// # Errors
    /// If no subject has the name; the error tells the nearest.
    pub fn named(text: &str) -> Result<Subject> {
        short_enough(text)?;
        if is_matrix(text) {
            let variant: MatrixVariant = text.parse()?;
            // Parsing makes a variant of its own. Only the equal one of the table lives as long as the program.
            let of_table = MatrixVariant::all().iter().find(|other| **other == variant);
            return Ok(Subject::Matrix(of_table.expect("what parses is in the table")));
        }
        let variant: Variant = text.parse()?;
        let of_table = Variant::all().iter().find(|other| **other == variant);
        Ok(Subject::Variant(of_table.expect("what parses is in the table")))
    }

    /// Whether an operand or a result of the subject has a format, as a single datum or in the lanes of a register.
    pub fn has_format(&self, format: FormatId) -> bool {
        match self {
            Subject::Variant(variant) => {
                let registers = variant.operands().iter().chain(variant.results());
                let mut types = registers.map(|register| &register.ty).chain(variant.printed());
                // A register of bits, such as `b32`, has the encoding of an integer but is none.
                let is_named = |ty: &Type| ty.name.starts_with(ty.format.name);
                types.any(|ty| ty.format.id == format && is_named(ty))
            }
            Subject::Matrix(variant) => {
                let dot = variant.dot();
                let scales = dot.scales.map(|scales| scales.format);
                [dot.a, dot.b, dot.c, dot.d].into_iter().chain(scales).any(|of| of.id == format)
            }
        }
    }

    /// Makes columns for the subject's operands, of `rows` rows each.
    pub fn operands(&self, rows: usize) -> Vec<Column> {
        match self {
            Subject::Variant(variant) => isa::columns_for(variant, rows),
            Subject::Matrix(variant) => isa::matrix::columns_for(variant, rows),
        }
    }

    /// Makes columns for the subject's results, of `rows` rows each.
    pub fn results(&self, rows: usize) -> Vec<Column> {
        match self {
            Subject::Variant(variant) => isa::results_for(variant, rows),
            Subject::Matrix(variant) => isa::matrix::results_for(variant, rows),
        }
    }

    /// Returns the name of each operand of the subject, and the bytes of its rows.
    pub fn operand_names(&self) -> Vec<(&'static str, usize)> {
        match self {
            Subject::Variant(variant) => {
                variant.operands().iter().map(|operand| (operand.name, operand.ty.row_bytes())).collect()
            }
            Subject::Matrix(variant) => {
                let named = |operand: &DotOperand| (operand.role.name(), operand.row_bytes());
                variant.operands().iter().map(named).collect()
            }
        }
    }

    /// Returns the bytes of a row of each result of the subject.
    pub fn result_bytes(&self) -> Vec<usize> {
        self.results(0).iter().map(Column::row_bytes).collect()
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A subject together with the sweep, or the list, that its vectors are from.
#[derive(Clone, Copy, Debug)]
pub enum VectorSource {
    /// A variant that computes lanes, and a sweep of its vectors.
    Lanes(&'static Variant, &'static Sweep),
    /// A matrix instruction, and a sweep of its dot products.
    Dots(&'static MatrixVariant, &'static DotSweep),
    /// A variant that computes lanes, with a list of vectors instead of a sweep.
    Given(&'static VectorList),
}

impl VectorSource {
    /// Returns a subject with the sweep that has a name; `None` where the subject has no such sweep.
    pub fn named(subject: Subject, sweep: &str) -> Option<VectorSource> {
        match subject {
            Subject::Variant(variant) => Some(VectorSource::Lanes(variant, Sweep::named(sweep)?)),
            Subject::Matrix(variant) => Some(VectorSource::Dots(variant, DotSweep::named(sweep)?)),
        }
    }

    /// Returns every sweep of a subject, in running order, with vectors or without.
    pub fn all(subject: Subject) -> Vec<VectorSource> {
        match subject {
            Subject::Variant(variant) => {
                Sweep::all().iter().map(|sweep| VectorSource::Lanes(variant, sweep)).collect()
            }
            Subject::Matrix(variant) => {
                DotSweep::all().iter().map(|sweep| VectorSource::Dots(variant, sweep)).collect()
            }
        }
    }

    /// Returns the subject whose vectors these are.
    pub fn subject(&self) -> Subject {
        match self {
            VectorSource::Lanes(variant, _) => Subject::Variant(variant),
            VectorSource::Dots(variant, _) => Subject::Matrix(variant),
            VectorSource::Given(given) => Subject::Variant(given.variant),
        }
    }

    /// Returns the name of the sweep, or `fuzz` for listed vectors.
    pub fn sweep(&self) -> &'static str {
        match self {
            VectorSource::Lanes(_, sweep) => sweep.name,
            VectorSource::Dots(_, sweep) => sweep.name,
            VectorSource::Given(given) => given.name,
        }
    }

    /// Returns the number of vectors of the sweep or list.
    pub fn length(&self) -> Length {
        match self {
            VectorSource::Lanes(variant, sweep) => sweep.length(variant),
            VectorSource::Dots(variant, sweep) => sweep.length(variant),
            VectorSource::Given(given) => Length::Finite(given.rows.len() as u64),
        }
    }

    /// Returns what the vectors depend on, where other subjects may have the same vectors; `None` for dot
    /// products and for listed vectors.
    pub fn sequence(&self) -> Option<Sequence> {
        match self {
            VectorSource::Lanes(variant, sweep) => Some(Sequence::of(sweep, variant)),
            VectorSource::Dots(..) | VectorSource::Given(_) => None,
        }
    }

    /// Writes vectors from number `first` on into the subject's operand columns.
    ///
    /// # Panics
    /// If the columns are not the subject's, or the range leaves the sweep.
    pub fn fill(&self, seed: u64, first: u64, columns: &mut [Column]) {
        match self {
            VectorSource::Lanes(variant, sweep) => sweep.fill(variant, seed, first, columns),
            VectorSource::Dots(variant, sweep) => sweep.fill(variant, seed, first, columns),
            VectorSource::Given(given) => given.fill(first, columns),
        }
    }
}
