//! Reads the operands of one element as the command line has them: whole rows, in the order of a report, or elements
//! by place and name.

use anyhow::{Context, Result, anyhow, bail, ensure};
use formats::{Column, Format, RowBits, TF32, column};
use isa::matrix::{Controls, DotData, DotOperand, MatrixVariant, Role, columns_for};
use reports::excerpt;

use crate::in_order;

/// Reads the operands of a variant from the command line, as columns of one row.
///
/// # Errors
/// If the operands cannot be read, or no instruction can have them; the message tells how they are written.
pub fn read(variant: &MatrixVariant, texts: &[String]) -> Result<Vec<Column>> {
    columns(variant, texts).map_err(|why| anyhow!("{why:#}; {}", usage(variant)))
}

/// Reads the operands in whichever of the two forms they are written, and checks them.
fn columns(variant: &MatrixVariant, texts: &[String]) -> Result<Vec<Column>> {
    let mut columns = columns_for(variant, 1);
    if texts.iter().any(|text| text.contains(['=', ':', '*'])) {
        let mut given = Given::new(variant);
        for text in texts {
            let context = || format!("`{}` is not an operand", excerpt(text));
            given.take(text).with_context(context)?;
        }
        given.write(&mut columns)?;
    } else {
        let operands = variant.operands().iter();
        let registers: Vec<_> =
            operands.map(|operand| (operand.role.name(), operand.ty(), operand.row_bytes())).collect();
        let rows = in_order(variant, &registers, texts)?;
        column::set_row_bits(&mut columns, 0, &rows);
    }
    meaningful(variant, &columns)?;
    Ok(columns)
}

/// Returns a sentence on how operands are written by place and name.
fn usage(variant: &MatrixVariant) -> String {
    let names: Vec<String> = names(variant).iter().map(|name| format!("`{name}=`")).collect();
    format!(
        "write products by place, like `0:3c00*3c00` or `4-7:0c00*0c00`, and {}: bits in hexadecimal, \
         other numbers in decimal, and commas between several; operands that are left out are zero, \
         and scales 1",
        names.join(", ")
    )
}

/// Returns the names that operands and controls of a variant have on the command line.
fn names(variant: &MatrixVariant) -> Vec<&'static str> {
    let mut names = Vec::new();
    for operand in variant.operands() {
        match operand.role {
            Role::A | Role::B | Role::D => {}
            Role::Controls if variant.mnemonic() == "wgmma" => {
                names.extend(["scale-d", "imm-scale-a", "imm-scale-b"]);
            }
            Role::Controls => {
                names.extend(["enable-input-d", "negate-a", "negate-b"]);
                names.extend(variant.dot().scaled_addend.then_some("scale-input-d"));
            }
            role => names.push(role.name()),
        }
    }
    names
}

/// Checks that metadata and controls are such that an instruction can have them.
///
/// # Errors
/// If an instruction cannot have one of them; the message says which it can have.
fn meaningful(variant: &MatrixVariant, columns: &[Column]) -> Result<()> {
    for (operand, column) in variant.operands().iter().zip(columns) {
        let row = column.row_bytes_of(0);
        for at in 0..operand.elements as usize {
            let bits = operand.get(row, at);
            let (dot, ordered) = (variant.dot(), !variant.is_unordered());
            match (operand.role, dot.sparsity) {
                (Role::Metadata, Some(sparsity)) => ensure!(
                    sparsity.is_valid_metadata(bits, ordered),
                    "the metadata of chunk {at} cannot be {bits:x}: write one of {}",
                    (0..16)
                        .filter(|&bits| sparsity.is_valid_metadata(bits, ordered))
                        .map(|bits| format!("{bits:x}"))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                (Role::Controls, _) => ensure!(
                    Controls::from_bits(dot, bits).bits() == bits,
                    "0x{bits:x} is not a value of the controls: write 0 to {:x}",
                    Controls::from_bits(dot, u64::MAX).bits()
                ),
                _ => {}
            }
        }
    }
    Ok(())
}

/// The operands that a command line gives by place and name.
struct Given<'a> {
    variant: &'a MatrixVariant,
    /// The registers of A and of B by place; `None` in places that are left out.
    products: Vec<Option<[u64; 2]>>,
    /// The elements of each other operand that is given by its name.
    elements: Vec<(&'a DotOperand, Vec<u64>)>,
    controls: Controls,
    named: Vec<&'static str>,
}

impl Given<'_> {
    /// Makes a command line of which nothing has been read.
    fn new(variant: &MatrixVariant) -> Given<'_> {
        Given {
            variant,
            products: vec![None; variant.dot().k as usize],
            elements: Vec::new(),
            controls: Controls::PLAIN,
            named: Vec::new(),
        }
    }

    /// Takes one argument: a product by place, or an operand or control by name.
    ///
    /// # Errors
    /// If the argument is written otherwise, or gives something twice.
    fn take(&mut self, text: &str) -> Result<()> {
        match text.split_once('=') {
            Some((name, value)) => self.take_named(name, value),
            None => self.take_product(text),
        }
    }

    /// Takes the elements of an operand, or the value of a control, by its name.
    fn take_named(&mut self, name: &str, value: &str) -> Result<()> {
        let Some(name) = names(self.variant).into_iter().find(|known| *known == name) else {
            bail!("{} has no `{}`", self.variant, excerpt(name));
        };
        ensure!(!self.named.contains(&name), "`{name}` is given twice");
        self.named.push(name);
        let Some(operand) = self.variant.operands().iter().find(|operand| operand.role.name() == name)
        else {
            return self.control(name, value);
        };
        let width = operand.format.map_or(operand.stride, Format::width);
        let elements: Vec<u64> =
            value.split(',').map(|bits| hexadecimal(bits, width)).collect::<Result<_>>()?;
        ensure!(
            elements.len() == operand.elements as usize,
            "it needs {}, with commas between them, and has {}",
            reports::counted(operand.elements.into(), "number"),
            elements.len()
        );
        self.elements.push((operand, elements));
        Ok(())
    }

    /// Takes the value of a control, in the numbers that the instruction itself has for it.
    fn control(&mut self, name: &str, value: &str) -> Result<()> {
        let either = |[no, yes]: [&str; 2]| match value {
            _ if value == no => Ok(false),
            _ if value == yes => Ok(true),
            _ => Err(anyhow!("write {no} or {yes}")),
        };
        match name {
            "imm-scale-a" => self.controls.negate_a = either(["1", "-1"])?,
            "imm-scale-b" => self.controls.negate_b = either(["1", "-1"])?,
            "negate-a" => self.controls.negate_a = either(["0", "1"])?,
            "negate-b" => self.controls.negate_b = either(["0", "1"])?,
            "scale-input-d" => {
                let power = decimal(value).filter(|power| *power < 16);
                self.controls.addend_scale = power.context("write 0 to 15, in decimal")? as u8;
            }
            _ => self.controls.accumulate = either(["0", "1"])?,
        }
        Ok(())
    }

    /// Takes the registers of A and of B for one place, or for a range of places.
    fn take_product(&mut self, text: &str) -> Result<()> {
        let (places, product) = text.split_once(':').context("it has no `:`")?;
        let (a, b) = product.split_once('*').context("it has no `*`")?;
        let (first, last) = places.split_once('-').unwrap_or((places, places));
        let all = self.products.len();
        let place = |text| {
            let place = decimal(text).filter(|place| *place < all);
            place.with_context(|| format!("places are 0 to {}, in decimal", all - 1))
        };
        let (first, last) = (place(first)?, place(last)?);
        ensure!(first <= last, "the first of two places is the smaller one");
        let dot = self.variant.dot();
        // A tf32 element is given as its whole register, which `write` puts in place as it is.
        let width = |format: &Format| if *format == TF32 { 32 } else { format.width() };
        let registers = [hexadecimal(a, width(dot.a))?, hexadecimal(b, width(dot.b))?];
        for place in first..=last {
            ensure!(self.products[place].replace(registers).is_none(), "place {place} is given twice");
        }
        Ok(())
    }

    /// Writes everything that is given into `columns`, which are zeros before.
    ///
    /// # Errors
    /// If the metadata do not store a place in which A is not zero, or no metadata can store all such places.
    fn write(&self, columns: &mut [Column]) -> Result<()> {
        let (dot, operands) = (self.variant.dot(), self.variant.operands());
        let side = |which: usize| -> Vec<u64> {
            self.products.iter().map(|registers| registers.map_or(0, |both| both[which])).collect()
        };
        let (a, b) = (side(0), side(1));
        let mut all: Vec<Vec<u64>> = Vec::new();
        for operand in operands {
            let given = self.elements.iter().find(|(of, _)| of.role == operand.role);
            all.push(match (given, operand.role, dot.scales) {
                (Some((_, elements)), ..) => elements.clone(),
                (None, Role::B, _) => b.clone(),
                (None, Role::ScalesA | Role::ScalesB, Some(scales)) => {
                    vec![scales.format.one(); operand.elements as usize]
                }
                (None, Role::Controls, _) => vec![self.controls.bits()],
                (None, Role::Metadata, _) => self.places(&a)?,
                _ => vec![0; operand.elements as usize],
            });
        }
        let write = |operand: &DotOperand, column: &mut Column, elements: &[u64]| {
            let tf32 = operand.format.is_some_and(|format| *format == TF32);
            for (at, &bits) in elements.iter().enumerate() {
                let row = column.row_bytes_of_mut(0);
                if tf32 { operand.set_register(row, at, bits) } else { operand.set(row, at, bits) }
            }
        };
        for ((operand, column), elements) in operands.iter().zip(&mut *columns).zip(&all) {
            write(operand, column, elements);
        }
        // Metadata say where elements of A belong, and stand in their column by now.
        let mut data = DotData::new(dot);
        data.read(dot, operands, columns, 0);
        if let Some(place) = (0..a.len()).find(|place| a[*place] != 0 && !data.places.contains(place)) {
            bail!("the metadata do not store place {place}, so A must be zero there");
        }
        let stored: Vec<u64> = data.places.iter().map(|&place| a[place]).collect();
        write(&operands[0], &mut columns[0], &stored);
        Ok(())
    }

    /// Returns metadata that store all elements of A that are not zero, for a command line that has no metadata.
    ///
    /// # Errors
    /// If more elements are not zero than can be stored: half of each chunk are.
    fn places(&self, a: &[u64]) -> Result<Vec<u64>> {
        let sparsity = self.variant.dot().sparsity.context("a sparse A has metadata")?;
        let places = sparsity
            .stored(a)
            .context("too many elements of A are not zero: only half of each chunk can be stored")?;
        Ok(sparsity.metadata(&places))
    }
}

/// Reads the bits of an element in hexadecimal, with or without `0x`.
///
/// # Errors
/// If the text is no hexadecimal number, or has more than `width` bits.
fn hexadecimal(text: &str, width: u32) -> Result<u64> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let bits = RowBits::from_hex(digits, size_of::<u64>());
    let bits = bits.with_context(|| format!("`{}`", excerpt(text)))?.word();
    ensure!(width >= 64 || bits >> width == 0, "0x{bits:x} has more than {width} bits");
    Ok(bits)
}

/// Reads a whole number without a sign, in decimal; `None` for any other text.
fn decimal(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
