//! The parser: the only conversion from text to a syntax tree. It reads what [`crate::syntax`] prints and what
//! compilers write, however that is broken into lines and whatever comments stand there; for other PTX it says where
//! it stops. Directives that say nothing of results, such as `.pragma` and `.loc`, are left out.

mod declarations;
mod expressions;
mod lexer;
mod operands;
mod vectors;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use crate::device::Header;
use crate::syntax::{
    Declaration, Declared, Entry, Guard, Instruction, Linkage, MOST_NESTED, Module, Opcode, Parameter,
    Scalar, SourceLine, Space, Statement,
};
use lexer::Token;
use operands::Decimals;

/// The error of a text that cannot be read: in which line, and what was expected and found there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: usize,
    /// Description of what should stand there.
    pub expected: &'static str,
    /// Text that stands there instead; empty at the end of the text.
    pub found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { line, expected, found } = self;
        match found.as_str() {
            "" => write!(f, "line {line}: expected {expected}, but the text ends"),
            found => write!(f, "line {line}: expected {expected}, found `{found}`"),
        }
    }
}

impl std::error::Error for ParseError {}

impl FromStr for Module {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Module, ParseError> {
        Parser::parse_whole(text, Parser::module)
    }
}

impl FromStr for Entry {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Entry, ParseError> {
        Parser::parse_whole(text, Parser::entry)
    }
}

/// The state of reading a text from its beginning to its end.
struct Parser<'a> {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token<'a>>>,
    /// The line of the last token that was taken.
    line: usize,
    /// The parameters of the entry or function that is being read.
    parameters: Vec<Parameter>,
    /// The format of decimal numbers in the instruction or variable that is being read.
    decimals: Decimals,
    /// The registers that are vectors, with the number of elements of each, in the braces that are open.
    vectors: Vec<HashMap<String, usize>>,
}

impl<'a> Parser<'a> {
    /// Reads a whole text by `read`, behind which nothing may be left.
    fn parse_whole<T>(
        text: &'a str,
        read: impl FnOnce(&mut Parser<'a>) -> Result<T, ParseError>,
    ) -> Result<T, ParseError> {
        // Some editors put a mark of the byte order before the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let tokens = lexer::tokens(text)?.into_iter().peekable();
        let (parameters, decimals, vectors) = (Vec::new(), Decimals::F64, Vec::new());
        let mut parser = Parser { tokens, line: 1, parameters, decimals, vectors };
        let read = read(&mut parser)?;
        if parser.tokens.peek().is_some() {
            return Err(parser.expected("the end of the text"));
        }
        Ok(read)
    }

    /// Returns the error that something else than `expected` stands here.
    fn expected(&mut self, expected: &'static str) -> ParseError {
        let (line, found) = self.tokens.peek().map_or((self.line, ""), |token| (token.line, token.text));
        // A token, such as a string, may be as long as the text.
        ParseError { line, expected, found: found.chars().take(40).collect() }
    }

    /// Takes the next token, if there is one.
    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.tokens.next()?;
        self.line = token.line;
        Some(token)
    }

    /// Takes the next token if it has this text, and says whether it did.
    fn takes(&mut self, text: &str) -> bool {
        let is = self.tokens.peek().is_some_and(|token| token.text == text);
        if is {
            self.next();
        }
        is
    }

    /// Takes the next token, which must have this text.
    fn take(&mut self, text: &'static str) -> Result<(), ParseError> {
        if self.takes(text) { Ok(()) } else { Err(self.expected(text)) }
    }

    /// Takes a word, and returns what `read` makes of it.
    fn word<T>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, ParseError> {
        let word = self.tokens.peek().filter(|token| token.is_word()).map(|token| token.text);
        let Some(read) = word.and_then(read) else { return Err(self.expected(expected)) };
        self.next();
        Ok(read)
    }

    /// Takes the name of something that is declared.
    fn name(&mut self, expected: &'static str) -> Result<String, ParseError> {
        let is_name = |word: &&str| !word.starts_with(|l: char| l == '.' || l.is_ascii_digit());
        self.word(expected, |word| Some(word).filter(is_name).map(str::to_owned))
    }

    /// Takes a type such as `.b32`.
    fn scalar(&mut self) -> Result<Scalar, ParseError> {
        self.word("a type", |word| Scalar::read_any(word.strip_prefix('.')?))
    }

    /// Takes a module: its head, and everything that is declared behind it.
    fn module(&mut self) -> Result<Module, ParseError> {
        self.take(".version")?;
        let ptx = self.word("a version", |word| word.parse().ok())?;
        self.take(".target")?;
        let target = self.word("a target", |word| word.parse().ok())?;
        // Words such as `debug` may follow the target; the tree leaves them out.
        while self.takes(",") {
            self.name("a word on the target")?;
        }
        self.take(".address_size")?;
        self.take("64")?;
        let header = Header { ptx, target };
        let (variables, functions, entries) = (Vec::new(), Vec::new(), Vec::new());
        let mut module = Module { header, variables, functions, entries };
        while self.tokens.peek().is_some() {
            self.item(&mut module)?;
        }
        Ok(module)
    }

    /// Takes the statements up to a closing brace, and the brace; the opening one has been taken.
    fn body(&mut self, nested: usize) -> Result<Vec<Statement>, ParseError> {
        self.vectors.push(HashMap::new());
        let mut body = Vec::new();
        while !self.takes("}") {
            body.push(if self.takes("{") {
                // Each level is a call of this function, so nesting without end would exhaust the stack.
                if nested == MOST_NESTED {
                    return Err(self.expected("fewer braces"));
                }
                Statement::Block(self.body(nested + 1)?)
            } else if self.takes(".reg") {
                let elements = self.takes_elements();
                let ty = self.scalar()?;
                let declaration = self.declaration(ty)?;
                Statement::Declaration(match elements {
                    Some(elements) => self.vectors_declared(declaration, elements)?,
                    None => declaration,
                })
            } else if let Some(ty) = self.takes_joined() {
                Statement::Declaration(self.declaration(ty)?)
            } else if self.takes(".shared") {
                self.shared()?
            } else if let Some(space) = self.takes_space() {
                Statement::Variable(self.variable(Linkage::Own, space)?)
            } else if self.takes_remark()? {
                continue;
            } else {
                self.labelled()?
            });
        }
        self.vectors.pop();
        Ok(body)
    }

    /// Takes the rest of a declaration of shared memory.
    fn shared(&mut self) -> Result<Statement, ParseError> {
        let variable = self.variable(Linkage::Own, Space::Shared)?;
        let Parameter { align, ty, name, length } = &variable.of;
        Ok(match (align, length) {
            (&Some(align), &Some(bytes)) if *ty == Scalar::Bits(8) && variable.values.is_empty() => {
                Statement::Shared { name: name.clone(), bytes, align }
            }
            _ => Statement::Variable(variable),
        })
    }

    /// Takes `.reg.b32`, which some compilers write without a space, and returns the type.
    fn takes_joined(&mut self) -> Option<Scalar> {
        let ty = self.tokens.peek()?.text.strip_prefix(".reg.").and_then(Scalar::read_any);
        if ty.is_some() {
            self.next();
        }
        ty
    }

    /// Takes the names of a declaration of registers, and its end.
    fn declaration(&mut self, ty: Scalar) -> Result<Declaration, ParseError> {
        let mut names = Vec::new();
        loop {
            let name = self.name("the name of a register")?;
            let mut count = None;
            if self.takes("<") {
                count = Some(self.word("a number of registers", |word| word.parse().ok())?);
                self.take(">")?;
            }
            names.push(Declared { name, count });
            if self.takes(";") {
                return Ok(Declaration { ty, names });
            }
            self.take(",")?;
        }
    }

    /// Takes a label or an instruction.
    fn labelled(&mut self) -> Result<Statement, ParseError> {
        let guard = match self.takes("@") {
            true => {
                let negated = self.takes("!");
                Some(Guard { negated, predicate: self.name("a predicate")? })
            }
            false => None,
        };
        let name = self.name("a statement")?;
        let line = SourceLine(self.line);
        if guard.is_none() && self.takes(":") {
            if self.takes(".branchtargets") {
                let mut labels = vec![self.name("a label")?];
                while !self.takes(";") {
                    self.take(",")?;
                    labels.push(self.name("a label")?);
                }
                return Ok(Statement::Targets { name, labels });
            }
            // A prototype is for calls by address, which nothing that is read here makes.
            if self.takes(".callprototype") {
                self.skip_to(";")?;
            }
            return Ok(Statement::Label(name));
        }
        let opcode = Opcode::read(&name);
        let operands = self.operands(&opcode)?;
        Ok(Statement::Instruction(Instruction { guard, opcode, operands, line }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(body: &str) -> String {
        let text = format!(".visible .entry k(.param .u64 p)\n{{\n{body}\n}}\n");
        text.parse::<Entry>().unwrap_err().to_string()
    }

    #[test]
    fn lines_and_comments_do_not_matter() {
        let close = ".visible .entry k(.param .u64 p){.reg .b32 %r<2>,a;L:@!%q bra L;ret;}";
        let wide = "// said\n.visible\t.entry k ( .param .u64 p ) { /* {\n */ .reg .b32 %r < 2 > , a ;\n\
                    // not\nL :\n@ ! %q bra L ; ret ; } // end";
        let mut read: Entry = wide.parse().unwrap();
        assert_eq!(read.comment.take().as_deref(), Some("said"));
        assert_eq!(Ok(read), close.parse());
    }

    #[test]
    fn constants_are_read_however_they_are_written() {
        let read = |body: &str| {
            format!("\u{feff}.visible .entry k(.param .u64 p)\n{{\n{body}\n}}\n").parse::<Entry>()
        };
        for (written, bits) in [
            ("mov.f64 %d, 1.5;", "mov.f64 %d, 0d3FF8000000000000;"),
            ("mov.f64 %d, -1.5;", "mov.f64 %d, 0dBFF8000000000000;"),
            ("mov.f64 %d, 15E-1;", "mov.f64 %d, 0d3FF8000000000000;"),
            ("mov.f64 %d, -1.e+1;", "mov.f64 %d, 0dC024000000000000;"),
            ("mul.rn.f32 %f, %f, 0.1;", "mul.rn.f32 %f, %f, 0f3DCCCCCD;"),
            ("cvt.rn.f16.f32 %h, -2.0;", "cvt.rn.f16.f32 %h, 0fC0000000;"),
            ("mov.u32 %r, WARP_SZ;", "mov.u32 %r, 32;"),
            ("mov.u32 %r, 0x1e-3;", "mov.u32 %r, 27;"),
            ("mov.u32 %r, 4*8;", "mov.u32 %r, 32;"),
            ("mov.u32 %r, (1<<3)+1;", "mov.u32 %r, 9;"),
            ("mov.u32 %r, -7/2;", "mov.u32 %r, -3;"),
            ("mov.u32 %r, 7%4 + 7 %4 + 7 % 4;", "mov.u32 %r, 9;"),
            ("mov.u32 %r, 1|6&3^8;", "mov.u32 %r, 11;"),
            ("mov.u32 %r, 3 > 2 ? WARP_SZ - 1 : (0 || !5 && 1);", "mov.u32 %r, 31;"),
            ("mov.u64 %r, ~0U >> 60;", "mov.u64 %r, 15;"),
            ("mov.u64 %r, -(.s64)16 >> 2;", "mov.u64 %r, -4;"),
            ("mov.u32 %r, (2 == 2) + (2 != 2) + (2 <= 1) * 4 + (2 >= 1) * 8;", "mov.u32 %r, 9;"),
            ("mov.f64 %d, 3.0 / 2;", "mov.f64 %d, 0d3FF8000000000000;"),
            ("mov.f32 %f, -(0.5 + 1);", "mov.f32 %f, 0fBFC00000;"),
            ("mov.u32 %r, 1/0;", ""),
            ("mov.u32 %r, 1+;", ""),
            ("mov.u32 %r, (1;", ""),
            ("ld.global.b32 %r, [%a+4*2];", "ld.global.b32 %r, [%a+8];"),
            ("mov.u64 %r, table+4*(2+1);", "mov.u64 %r, table+12;"),
            ("ld.global.b32 %r, [%a+0x10];", "ld.global.b32 %r, [%a+16];"),
            ("ld.global.b32 %r, [%a+-010];", "ld.global.b32 %r, [%a+-8];"),
            ("ld.global.b32 %r, [%a+1.5];", ""),
        ] {
            assert_eq!(
                read(written).ok(),
                Some(bits).filter(|bits| !bits.is_empty()).map(|bits| read(bits).unwrap()),
                "{written}"
            );
        }
    }

    #[test]
    fn arrays_and_vectors_are_read_as_their_elements() {
        let read = |text: &str| {
            let head = ".version 8.0\n.target sm_80\n.address_size 64\n";
            format!("{head}{text}\n").parse::<Module>().map_err(|error| error.to_string())
        };
        for (written, plain) in [
            (".shared .b8 a[4*32];", ".shared .b8 a[128];"),
            (".shared .f32 a[16][17];", ".shared .f32 a[272];"),
            (".global .s32 a[][2] = {{-1, 0}, {0, -1}};", ".global .s32 a[4] = {-1, 0, 0, -1};"),
            (
                ".const .u8 a[3][2][2] = {{{1}, {2, 3}}, {}, {{4}}};",
                ".const .u8 a[12] = {1, 0, 2, 3, 0, 0, 0, 0, 4};",
            ),
            (".const .u8 a[2][2] = {{1, 2}, 3, 1<<2};", ".const .u8 a[4] = {1, 2, 3, 4};"),
            (".const .f32 a[] = {1.0, -(2.0)};", ".const .f32 a[2] = {0f3f800000, 0fc0000000};"),
            (".global .v2 .f32 a[3];", ".global .align 8 .f32 a[6];"),
            (".global .u64 a[2] = {generic(b), c+8};", ".global .u64 a[2] = {b, c+8};"),
            (
                ".func f() { .reg .v2 .f32 %v, %w; add.f32 %v.x, %w.y, %v.r; }",
                ".func f() { .reg .f32 %v.x, %v.y, %w.x, %w.y; add.f32 %v.x, %w.y, %v.x; }",
            ),
            (
                ".func f() { .reg .v4 .b32 %v<2>; ld.v4.b32 %v1, [%v0.w]; { .reg .v2 .b32 a; } mov.b64 a, %a; }",
                ".func f() { .reg .b32 %v0.x, %v0.y, %v0.z, %v0.w, %v1.x, %v1.y, %v1.z, %v1.w; \
              ld.v4.b32 {%v1.x, %v1.y, %v1.z, %v1.w}, [%v0.w]; { .reg .b32 a.x, a.y; } mov.b64 a, %a; }",
            ),
        ] {
            assert_eq!(read(written), read(plain), "{written}");
            assert!(read(written).is_ok(), "{written}: {:?}", read(written));
        }
        for (written, said) in [
            (".shared .b8 a[4096][4097];", "line 4: expected a number of elements, found `4097`"),
            (".shared .b8 a[2][];", "line 4: expected a number of elements, found `]`"),
            (".shared .b8 a[1.5];", "line 4: expected a number of elements, found `1.5`"),
            (
                ".global .b8 a[16][1048576] = {{1}, {1}, {1}};",
                "line 4: expected fewer values, found `1`",
            ),
            (
                ".func f() { .reg .v2 .b32 %v<5000>; }",
                "line 4: expected fewer vectors before this, found `}`",
            ),
            (".func f() { mov.b32 a, ~1.5; }", "line 4: expected an integer behind `~`, found `;`"),
            (
                ".func f() { mov.b32 a, 1 % 0; }",
                "line 4: expected an expression that has a value before this, found `;`",
            ),
        ] {
            assert_eq!(read(written).unwrap_err(), said, "{written}");
        }
        let deep = format!(".func f() {{ mov.b32 a, {}1; }}", "(".repeat(100_000));
        assert!(read(&deep).unwrap_err().contains("expected a simpler expression"));
        let long = format!(".func f() {{ mov.b32 a, 1{}; }}", "+1".repeat(100_000));
        assert_eq!(read(&long), read(".func f() { mov.b32 a, 100001; }"));
    }

    #[test]
    fn errors_say_where_and_what() {
        for (body, said) in [
            ("add.u32 a, b", "line 4: expected `;` or `,`, found `}`"),
            ("mov.b32 a, ;", "line 3: expected an operand, found `;`"),
            ("mov.b32 a, 0xg;", "line 3: expected a number, found `0xg`"),
            ("mov.f32 a, 0f00;", "line 3: expected a number, found `0f00`"),
            ("ld.global.b32 a, [b+c];", "line 3: expected an offset, found `c`"),
            (".reg .b31 a;", "line 3: expected a type, found `.b31`"),
            (".reg .b32 a<-1>;", "line 3: expected a number of registers, found `-`"),
            (".shared .align 4 .b8 a[-1];", "line 3: expected a number of elements, found `-`"),
            (
                ".shared .align 4 .b8 a[16777217];",
                "line 3: expected a number of elements, found `16777217`",
            ),
            (".shared .align 4 .b32 a[1]", "line 4: expected ;, found `}`"),
            (".shared .align 4294967296 .b8 a[1];", "line 3: expected an alignment, found `4294967296`"),
            (".texref a;", "line 3: expected a statement, found `.texref`"),
            (".local .b32 a[x];", "line 3: expected a number of elements, found `x`"),
            (".local .align 3 .b8 a;", "line 3: expected an alignment, found `3`"),
            (".pragma \"a", "line 3: expected the end of a string, but the text ends"),
            ("\n{", "line 5: expected a statement, but the text ends"),
            ("é", "line 3: expected PTX, found `é`"),
            ("/*", "line 3: expected the end of a comment, but the text ends"),
        ] {
            assert_eq!(error(body), said, "{body}");
        }
        let deep = "{".repeat(100_000);
        assert!(error(&deep).contains("expected fewer braces"));
        let twice = "ret; } .visible";
        assert!(error(twice).contains("expected the end of the text"), "{}", error(twice));
    }
}
