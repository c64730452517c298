//! Programs as source text, in each language.

mod cuda;
mod ir;

use super::{Program, Spelled, Spelling};
use crate::language::Language;
use crate::setting::{Setting, Switch};

/// Returns the attributes of a function's definition: in LLVM's own language, what becomes of subnormal numbers. (Not
/// as a group of attributes: modules are made of functions under several settings.)
pub fn attributes(language: Language, setting: Setting) -> &'static str {
    match language {
        Language::Cuda | Language::Nvvm => "",
        Language::Llvm if setting.has(Switch::Ftz) => {
            " \"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\""
        }
        Language::Llvm if setting.has(Switch::FtzResults) => {
            " \"denormal-fp-math-f32\"=\"preserve-sign,ieee\""
        }
        Language::Llvm => " \"denormal-fp-math-f32\"=\"ieee,ieee\"",
    }
}

/// The flags of operations in a source of LLVM's language, each with a blank behind it.
struct Flags {
    /// The flags of all operations that have flags.
    all: String,
    /// The flags of selections.
    selections: String,
    /// The flag that permits contraction, of sums and products and their like.
    contract: &'static str,
}

impl Flags {
    /// Returns the flags that operations have in a language under a setting.
    fn of(language: Language, setting: Setting) -> Flags {
        let own = language == Language::Llvm;
        let on = Switch::FLAGS.into_iter().filter(|&flag| setting.has(flag));
        let all: String = on.map(|flag| format!("{} ", flag.name())).collect();
        Flags {
            selections: if language.has_flagged_selections() { all.clone() } else { String::new() },
            all,
            contract: if own && setting.has(Switch::Fma) { "contract " } else { "" },
        }
    }
}

impl Spelled<'_> {
    /// Returns a source that has the program, in its spelling, as a function of this name.
    pub fn text(&self, language: Language, setting: Setting, name: &str) -> String {
        let flags = Flags::of(language, setting);
        let program = self.program;
        match language {
            Language::Cuda => program.headers() + &self.cuda(name),
            Language::Nvvm => self.ir(name, &flags, "") + &program.declarations(),
            Language::Llvm => {
                self.ir(name, &flags, attributes(language, setting)) + &program.declarations()
            }
        }
    }
}

impl Program {
    /// Returns a source that has the program, as it is, as a function of this name.
    pub fn text(&self, language: Language, setting: Setting, name: &str) -> String {
        Spelled { program: self, spelling: Spelling::Plain }.text(language, setting, name)
    }
}
