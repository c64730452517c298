//! Compiles functions for one compiler, target and setting, many in a module, and says what became of each.

use std::sync::Arc;

use anyhow::Result;
use implementations::bundled::compilers::Want;
use ptx::ParseError;
use ptx::syntax::Module;
use reports::excerpt;

use super::language::Language;
use super::program::{Spelled, attributes};
use super::rows::PromiseRow;
use super::setting::{Setting, Switch};
use super::{CompileOutcome, CompileRequest, Compiler};

/// The largest number of functions in a module: with more, compilers take longer for each.
const MOST: usize = 64;

/// A function that can be compiled.
pub trait CompilableFunction {
    /// Returns the source of the function under this name, with all that it needs.
    fn source(&self, language: Language, setting: Setting, name: &str) -> String;
}

impl CompilableFunction for Spelled<'_> {
    fn source(&self, language: Language, setting: Setting, name: &str) -> String {
        self.text(language, setting, name)
    }
}

impl CompilableFunction for PromiseRow {
    fn source(&self, language: Language, setting: Setting, name: &str) -> String {
        let function = self.function(language, setting, name);
        match language {
            Language::Cuda => self.headers() + &function,
            Language::Nvvm | Language::Llvm => function + &self.declaration(language),
        }
    }
}

/// A job for a compiler: functions to be compiled for one target under one setting.
pub struct CompileJob<'a, F> {
    /// The functions.
    pub functions: Vec<&'a F>,
    /// The compiler's name of the target.
    pub target: String,
    /// The setting, which decides the compiler's options.
    pub setting: Setting,
}

/// The outcome of compiling a function.
#[derive(Clone, Debug)]
pub enum Compiled {
    /// The module of PTX that has the function, and the function's name in it.
    Ptx(Arc<Ptx>, String),
    /// The compiler does not take the function: its reason, in words.
    Refused(String),
    /// The compiler died of the function: how, in words.
    Died(String),
}

impl Compiled {
    /// Returns what the outcome of a module means for each of its functions, which have these names, in their order.
    pub fn split_outcome(outcome: CompileOutcome, names: impl Iterator<Item = String>) -> Vec<Compiled> {
        let same = match outcome {
            // The directive that PTX begins with.
            CompileOutcome::Ptx(text) if text.contains(".version") => {
                let ptx = Arc::new(Ptx { tree: text.parse(), text });
                return names.map(|name| Compiled::Ptx(ptx.clone(), name)).collect();
            }
            CompileOutcome::Ptx(text) => {
                let words = format!("its answer is not PTX: {}", excerpt(&text));
                Compiled::Refused(words)
            }
            CompileOutcome::Refused(words) => Compiled::Refused(words),
            CompileOutcome::Died(words) => Compiled::Died(words),
            CompileOutcome::Code(_) => Compiled::Refused("it answered with machine code".into()),
        };
        names.map(|_| same.clone()).collect()
    }
}

/// A module of PTX.
#[derive(Debug)]
pub struct Ptx {
    /// The text of the module.
    pub text: String,
    /// The syntax tree of the text, or the error that says why it has none.
    pub tree: std::result::Result<Module, ParseError>,
}

/// Compiles the functions of jobs, many at a time. Returns for each job what became of each of its functions, in their
/// order.
///
/// # Errors
/// As [`Compiler::compile`].
pub fn compile<F: CompilableFunction>(
    compiler: &Compiler,
    language: Language,
    jobs: &[CompileJob<F>],
) -> Result<Vec<Vec<Compiled>>> {
    compile_at(compiler, language, jobs, None)
}

/// Compiles the functions of jobs as [`compile`] does, at a level of optimisation if one is given. The level is an
/// option that takes the place of the setting's option that begins like it, as `-O1` does for `-O3`.
///
/// # Errors
/// As [`Compiler::compile`].
pub fn compile_at<F: CompilableFunction>(
    compiler: &Compiler,
    language: Language,
    jobs: &[CompileJob<F>],
    level: Option<&str>,
) -> Result<Vec<Vec<Compiled>>> {
    // Functions of two jobs may come into one module, where their options are the same.
    let name = |job: usize, number: usize| format!("f{job}_{number}");
    let requests: Vec<CompileRequest> = jobs
        .iter()
        .enumerate()
        .flat_map(|(at, job)| {
            job.functions.iter().enumerate().map(move |(number, function)| CompileRequest {
                language: language.name().into(),
                source: function.source(language, job.setting, &name(at, number)),
                options: options(job.setting, language, level),
                target: job.target.clone(),
                want: Want::Ptx,
            })
        })
        .collect();
    // These are the names of a job's functions, in the order of the requests.
    let of_job = |(at, job): (usize, &CompileJob<F>)| {
        (0..job.functions.len()).map(move |number| name(at, number))
    };
    let mut names = jobs.iter().enumerate().flat_map(of_job);
    let mut all = Vec::new();
    for (part, outcome) in compiler.compile_together(&requests, MOST)? {
        all.extend(Compiled::split_outcome(outcome, names.by_ref().take(part.len())));
    }
    let mut all = all.into_iter();
    Ok(jobs.iter().map(|job| all.by_ref().take(job.functions.len()).collect()).collect())
}

/// Returns the options of a setting, at a level of optimisation if one is given.
fn options(setting: Setting, language: Language, level: Option<&str>) -> Vec<String> {
    let mut options = setting.options(language);
    if let Some(level) = level {
        // The beginning that options have in common: `-opt=`, and `-O` of `-O1`.
        let name = &level[..level.find('=').unwrap_or(level.len() - 2) + 1];
        options.retain(|own| !own.starts_with(name));
        options.push(level.to_owned());
    }
    options
}

impl PromiseRow {
    /// Returns the lines that include the headers which the row needs in CUDA C++. Not all headers are always included,
    /// because compilers take long to read them.
    fn headers(&self) -> String {
        // A user's own source tells it by the names of the headers, which are parts of the names of functions.
        let narrow = ["fp8", "fp6", "fp4", "e8m0"];
        let own = self.expression(Language::Cuda).unwrap_or_default();
        let is_narrow =
            self.name.starts_with("narrow/") || narrow.iter().any(|header| own.contains(header));
        let names: &[&str] = match is_narrow {
            true => &["fp16", "bf16", "fp8", "fp6", "fp4"],
            false => &["fp16", "bf16"],
        };
        names.iter().map(|name| format!("#include <cuda_{name}.h>\n")).collect()
    }

    /// Returns the declarations of the functions that the row calls: `call T @f(T %a)` declares `T @f(T)`.
    fn declaration(&self, language: Language) -> String {
        let called = |line: &str| {
            let (_, call) = line.split_once("call ")?;
            // A call has a type and a name, and flags may stand before these.
            let (types, operands) = call.split_once('(')?;
            let types =
                types.split(' ').filter(|word| !FLAGS.contains(word)).collect::<Vec<_>>().join(" ");
            // Inline assembly is called without a name, and needs no declaration.
            if !types.contains('@') {
                return None;
            }
            let operands = operands.trim_end_matches(')').split(", ");
            let bare: Vec<&str> =
                operands.map(|operand| operand.rsplit_once(' ').map_or("", |(ty, _)| ty)).collect();
            Some(format!("declare {types}({})\n", bare.join(", ")))
        };
        let mut all: Vec<String> = self.lines(language).iter().filter_map(|line| called(line)).collect();
        // LLVM does not take a declaration twice.
        all.sort_unstable();
        all.dedup();
        all.concat()
    }

    /// Returns the operations of the row's expression in a language.
    fn lines(&self, language: Language) -> Vec<&str> {
        self.expression(language).expect("rows that a language has").split("; ").collect()
    }

    /// Returns the source of a function of this name that computes the row.
    ///
    /// # Panics
    /// If the language has no such expression.
    fn function(&self, language: Language, setting: Setting, name: &str) -> String {
        let names = ["a", "b", "c"];
        let parameters = |prefix: &str| {
            let each = self.takes.iter().zip(names);
            let each = each.map(|(ty, name)| format!("{} {prefix}{name}", named(language, ty)));
            each.collect::<Vec<_>>().join(", ")
        };
        let gives = named(language, &self.gives);
        let mut lines = self.lines(language);
        match language {
            Language::Cuda => {
                let last = lines.pop().expect("a line at least");
                let before: String = lines.iter().map(|line| format!("{line}; ")).collect();
                // Vectors of two are passed by their addresses, integers are not.
                if !self.takes.iter().chain([&self.gives]).any(|ty| is_vector(ty)) {
                    let parameters = parameters("");
                    return format!(
                        "extern \"C\" __device__ {gives} {name}({parameters}) {{ {before}return {last}; }}\n"
                    );
                }
                // A number of 32 bits is passed as it is, and read as the vector of two that it holds.
                let word = |ty: &str| if is_vector(ty) { "unsigned" } else { named(language, ty) };
                let (mut words, mut body) = (Vec::new(), String::new());
                for (ty, name) in self.takes.iter().zip(names) {
                    words.push(format!("{} {name}_", word(ty)));
                    let own = named(language, ty);
                    body += &format!("{own} {name} = reinterpret_cast<{own} &>({name}_); ");
                }
                let (result, parameters) = (word(&self.gives), words.join(", "));
                format!(
                    "extern \"C\" __device__ {result} {name}({parameters}) {{ {body}{before}{gives} r = {last}; \
                     return reinterpret_cast<{result} &>(r); }}\n"
                )
            }
            Language::Nvvm | Language::Llvm => {
                let contract = language == Language::Llvm && setting.has(Switch::Fma);
                let last = format!("%r = {}", lines.pop().expect("a line at least"));
                let body: String =
                    lines.into_iter().chain([&*last]).map(|line| format!("  {line}\n")).collect();
                let body = body.replace("{contract}", if contract { " contract" } else { "" });
                let (attributes, parameters) = (attributes(language, setting), parameters("%"));
                format!(
                    "define {gives} @{name}({parameters}){attributes} {{\n{body}  ret {gives} %r\n}}\n"
                )
            }
        }
    }
}

/// Whether a type is a class of two numbers in CUDA C++.
fn is_vector(ty: &str) -> bool {
    matches!(ty, "f16x2" | "bf16x2")
}

/// The flags that may stand between `call` and a type.
const FLAGS: &[&str] = &["fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"];

/// Returns the name of a type of PTX in a source language; nothing where [`type_name`] has none, which no compiler takes.
fn named(language: Language, ty: &str) -> &'static str {
    type_name(language, ty).unwrap_or("")
}

/// Returns the name of a type of PTX in a source language; `None` for types that no row has.
pub fn type_name(language: Language, ty: &str) -> Option<&'static str> {
    let [cuda, ir] = match ty {
        "f16" => ["__half", "half"],
        "bf16" => ["__nv_bfloat16", "bfloat"],
        "f16x2" => ["__half2", "<2 x half>"],
        "bf16x2" => ["__nv_bfloat162", "<2 x bfloat>"],
        "f32" => ["float", "float"],
        "f64" => ["double", "double"],
        "s32" => ["int", "i32"],
        "u32" | "b32" | "e4m3x4" | "e5m2x4" | "e2m3x4" | "e3m2x4" => ["unsigned", "i32"],
        "s64" => ["long long", "i64"],
        "u64" | "b64" => ["unsigned long long", "i64"],
        "s16" => ["short", "i16"],
        "u16" | "b16" | "e4m3x2" | "e5m2x2" | "e2m3x2" | "e3m2x2" | "ue8m0x2" | "e2m1x4" => {
            ["unsigned short", "i16"]
        }
        "s8" => ["signed char", "i8"],
        "u8" | "b8" | "e4m3" | "e5m2" | "e2m1x2" => ["unsigned char", "i8"],
        _ => return None,
    };
    Some(if language == Language::Cuda { cuda } else { ir })
}
