//! The parser of what a module declares, and of its other directives.

use super::operands::Decimals;
use super::{ParseError, Parser};
use crate::syntax::{
    BlockSize, Entry, Function, Linkage, Module, Operand, Parameter, Scalar, Space, Variable,
};

/// The most elements of an array; no program has a longer one.
const MOST_ELEMENTS: u32 = 1 << 24;
/// The most values of an array that has rows in braces: rows that end early are filled up, and their text is short.
const MOST_VALUES: usize = 1 << 20;

/// Directives that say how a function or an entry is to be compiled (PTX ISA 11.4, 11.7 and 11.8).
const COMPILED: &[&str] = &[
    ".maxnreg",
    ".maxntid",
    ".reqntid",
    ".minnctapersm",
    ".maxnctapersm",
    ".noreturn",
    ".abi_preserve",
    ".abi_preserve_control",
    ".reqnctapercluster",
    ".explicitcluster",
    ".maxclusterrank",
    ".blocksareclusters",
];

impl Parser<'_> {
    /// Takes a function, an entry or a variable, or something that the tree leaves out.
    pub(super) fn item(&mut self, module: &mut Module) -> Result<(), ParseError> {
        if self.takes_remark()? {
            return Ok(());
        }
        let comment = self.tokens.peek().and_then(|token| token.comment).map(str::to_owned);
        let linkage = self.linkage();
        if self.takes(".func") {
            let function = self.function(linkage)?;
            module.functions.push(function);
        } else if self.takes(".entry") {
            let entry = self.entry_named(comment)?;
            module.entries.push(entry);
        } else if self.takes(".shared") {
            let variable = self.variable(linkage, Space::Shared)?;
            module.variables.push(variable);
        } else if let Some(space) = self.takes_space() {
            let variable = self.variable(linkage, space)?;
            module.variables.push(variable);
        } else {
            return Err(self.expected("a function, an entry or a variable"));
        }
        Ok(())
    }

    /// Takes an entry with the comment and the directive before it.
    pub(super) fn entry(&mut self) -> Result<Entry, ParseError> {
        let comment = self.tokens.peek().and_then(|token| token.comment).map(str::to_owned);
        self.take(".visible")?;
        self.take(".entry")?;
        self.entry_named(comment)
    }

    /// Takes the directive of a name's visibility, if there is one.
    fn linkage(&mut self) -> Linkage {
        for (text, linkage) in [
            (".visible", Linkage::Visible),
            (".extern", Linkage::Extern),
            (".weak", Linkage::Weak),
            // The tree does not tell `.common` from `.weak`.
            (".common", Linkage::Weak),
        ] {
            if self.takes(text) {
                return linkage;
            }
        }
        Linkage::Own
    }

    /// Takes a state space that variables lie in, other than `.shared`.
    pub(super) fn takes_space(&mut self) -> Option<Space> {
        let spaces = [
            (".param", Space::Param),
            (".local", Space::Local),
            (".global", Space::Global),
            (".const", Space::Const),
        ];
        spaces.into_iter().find(|(text, _)| self.takes(text)).map(|(_, space)| space)
    }

    /// Takes an entry from its name on.
    fn entry_named(&mut self, comment: Option<String>) -> Result<Entry, ParseError> {
        let name = self.name("the name of an entry")?;
        // The parser of addresses asks for them, since `[name]` is a parameter or a register.
        self.parameters = self.parameters_in_parentheses()?;
        let block = self.compiled()?;
        self.take("{")?;
        let body = self.body(1)?;
        Ok(Entry { comment, name, parameters: std::mem::take(&mut self.parameters), block, body })
    }

    /// Takes a function from behind `.func` on.
    fn function(&mut self, linkage: Linkage) -> Result<Function, ParseError> {
        let mut results = Vec::new();
        if self.tokens.peek().is_some_and(|token| token.text == "(") {
            results = self.parameters_in_parentheses()?;
        }
        let name = self.name("the name of a function")?;
        let parameters = match self.tokens.peek().map(|token| token.text) {
            Some("(") => self.parameters_in_parentheses()?,
            _ => Vec::new(),
        };
        self.compiled()?;
        let mut body = None;
        if !self.takes(";") {
            self.take("{")?;
            // In the body, results are addressed as parameters are.
            self.parameters = results.iter().chain(&parameters).cloned().collect();
            body = Some(self.body(1)?);
            self.parameters.clear();
        }
        Ok(Function { linkage, results, name, parameters, body })
    }

    /// Takes a list of parameters in parentheses.
    fn parameters_in_parentheses(&mut self) -> Result<Vec<Parameter>, ParseError> {
        let mut parameters = Vec::new();
        self.take("(")?;
        while !self.takes(")") {
            if !parameters.is_empty() {
                self.take(",")?;
            }
            self.take(".param")?;
            parameters.push(self.declared()?.0);
        }
        Ok(parameters)
    }

    /// Takes the type and the name of something in memory.
    ///
    /// An array has the size of each dimension, 0 where the text leaves the first one open.
    fn declared(&mut self) -> Result<(Parameter, Vec<u32>), ParseError> {
        let mut align = self.align()?;
        let vector = self.takes_elements();
        let ty = self.scalar()?;
        // What a pointer points to is found out where it is used, so the attributes of `.ptr` are skipped.
        if self.takes(".ptr") {
            self.takes_space();
            self.align()?;
        }
        let name = self.name("the name of a parameter")?;
        let mut sizes = Vec::new();
        while self.takes("[") {
            // `[]` leaves the length open, as in `.extern .shared .b8 name[];`.
            let size = match sizes.is_empty() && self.takes("]") {
                true => 0,
                false => {
                    let size =
                        self.elements(sizes.iter().copied().filter(|&size| size > 0).product())?;
                    self.take("]")?;
                    size
                }
            };
            sizes.push(size);
        }
        // The elements of a vector lie beside each other, and the first at a multiple of the bytes of all.
        if let Some(elements) = vector {
            align = align.or(Some((elements * ty.bytes()) as u32));
            sizes.push(elements as u32);
        }
        let length = (!sizes.is_empty()).then(|| sizes.iter().product());
        Ok((Parameter { align, ty, name, length }, sizes))
    }

    /// Takes the number of elements in a dimension of an array that has so many in each of the others.
    fn elements(&mut self, others: u32) -> Result<u32, ParseError> {
        let refused = self.expected("a number of elements");
        let size = self.integer("a number of elements")?;
        let most = i64::from(MOST_ELEMENTS / others.max(1));
        if (0..=most).contains(&size) { Ok(size as u32) } else { Err(refused) }
    }

    /// Takes an alignment, if one is written.
    fn align(&mut self) -> Result<Option<u32>, ParseError> {
        let power = |word: &str| word.parse().ok().filter(|align: &u32| align.is_power_of_two());
        match self.takes(".align") {
            true => self.word("an alignment", power).map(Some),
            false => Ok(None),
        }
    }

    /// Takes the rest of a variable, behind its state space.
    pub(super) fn variable(&mut self, linkage: Linkage, space: Space) -> Result<Variable, ParseError> {
        let (mut of, sizes) = self.declared()?;
        self.decimals = if of.ty == Scalar::Float("f32", 32) { Decimals::F32 } else { Decimals::F64 };
        let mut values = Vec::new();
        if self.takes("=") {
            if self.takes("{") {
                self.initial(&sizes, &mut values)?;
            } else {
                values.push(self.initial_value()?);
            }
            // The values say how long an array is whose length is open.
            if let Some(length @ 0) = &mut of.length {
                let row: u32 = sizes.iter().skip(1).product();
                let values = u32::try_from(values.len()).unwrap_or(u32::MAX);
                *length = values.div_ceil(row.max(1)).saturating_mul(row.max(1)).min(MOST_ELEMENTS);
            }
        }
        self.take(";")?;
        Ok(Variable { linkage, space, of, values })
    }

    /// Takes the values in braces of an array with these sizes, up to the closing brace. A row in braces of its own may
    /// have fewer values than elements: those behind them are 0.
    fn initial(&mut self, sizes: &[u32], values: &mut Vec<Operand>) -> Result<(), ParseError> {
        let (rest, start) = (sizes.get(1..).unwrap_or_default(), values.len());
        let row: u32 = rest.iter().product();
        let (mut rows, mut is_first) = (0, true);
        while !self.takes("}") {
            if !std::mem::take(&mut is_first) {
                self.take(",")?;
            }
            if !rest.is_empty() && self.takes("{") {
                // The rows before this one have all their elements.
                rows = (values.len() - start).div_ceil((row as usize).max(1)).max(rows);
                let due = start + rows * row as usize;
                if due > MOST_VALUES {
                    return Err(self.expected("fewer values"));
                }
                values.resize(due, Operand::from(0));
                self.initial(rest, values)?;
                rows += 1;
            } else {
                values.push(self.initial_value()?);
            }
        }
        Ok(())
    }

    /// Takes a number, or the address of a variable: `generic(name)` is one that is the same in all spaces.
    fn initial_value(&mut self) -> Result<Operand, ParseError> {
        let value = match self.takes("generic") {
            true => {
                self.take("(")?;
                let name = self.name("the name of a variable")?;
                self.take(")")?;
                Operand::Register(name)
            }
            false => self.datum()?,
        };
        match value {
            Operand::Register(base) if self.takes("+") => {
                Ok(Operand::Behind { base, offset: self.integer("an offset")? as u64 })
            }
            value => Ok(value),
        }
    }

    /// Takes directives on how a function or an entry is to be compiled, and returns the size of a block if one of them
    /// says it.
    fn compiled(&mut self) -> Result<Option<BlockSize>, ParseError> {
        let mut block: Option<BlockSize> = None;
        while let Some(directive) = COMPILED.iter().find(|text| self.takes(text)) {
            // Some directives have several numbers, such as `.maxntid 128, 1, 1`.
            let number = |word: &str| word.parse::<u32>().ok();
            let mut numbers = Vec::new();
            while self.tokens.peek().is_some_and(|token| number(token.text).is_some()) {
                numbers.push(self.word("a number", number)?);
                self.takes(",");
            }
            let is_exact = *directive == ".reqntid";
            if is_exact || *directive == ".maxntid" && block.is_none_or(|block| !block.is_exact) {
                let of = |dimension: usize| numbers.get(dimension).copied().unwrap_or(1);
                block = Some(BlockSize { is_exact, threads: [of(0), of(1), of(2)] });
            }
        }
        Ok(block)
    }

    /// Takes a directive that says nothing of results; returns whether there was one.
    pub(super) fn takes_remark(&mut self) -> Result<bool, ParseError> {
        if self.takes(".pragma") || self.takes(".alias") {
            self.skip_to(";")?;
        } else if self.takes(".section") {
            self.skip_to("}")?;
        } else if self.takes(".loc") || self.takes(".file") {
            // Such directives end with their line.
            let line = self.line;
            while self.tokens.peek().is_some_and(|token| token.line == line) {
                self.next();
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Skips everything up to a sign, and the sign.
    pub(super) fn skip_to(&mut self, sign: &'static str) -> Result<(), ParseError> {
        while !self.takes(sign) {
            if self.next().is_none() {
                return Err(self.expected(sign));
            }
        }
        Ok(())
    }
}
