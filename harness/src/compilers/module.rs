//! Functions for one compiler, target and setting, many in a module: what becomes of each.

use std::sync::Arc;

use anyhow::Result;
use ptx::ParseError;
use ptx::syntax::Module;

use super::program::{Language, Program, attributes, module};
use super::rows::Row;
use super::setting::Setting;
use super::{Compiler, Outcome, Request, Want};

/// Functions in a module, at most: of more than that compilers take longer for each.
const MOST: usize = 64;

/// Something to be compiled: a function in a module of its like.
pub trait Function {
    /// A module of functions that are called `f0`, `f1` and so on.
    fn module(language: Language, setting: Setting, functions: &[&Self]) -> String;
}

impl Function for Program {
    fn module(language: Language, setting: Setting, functions: &[&Program]) -> String {
        module(language, setting, functions)
    }
}

impl Function for Row {
    fn module(language: Language, setting: Setting, functions: &[&Row]) -> String {
        let named = functions.iter().enumerate();
        let body: String = named.map(|(at, row)| row.function(language, &format!("f{at}"))).collect();
        match language {
            Language::Cuda => format!("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n{body}"),
            Language::Nvvm => body + &declarations(functions, language),
            Language::Llvm => body + &declarations(functions, language) + &attributes(setting),
        }
    }
}

/// What a compiler is asked for: all functions for this target under this setting.
pub struct Job<'a, F> {
    /// The functions.
    pub functions: Vec<&'a F>,
    /// The compiler's name of the target.
    pub target: String,
    /// The options.
    pub setting: Setting,
}

/// What became of a function: the module that it is in and its name there, or none.
#[derive(Clone, Debug)]
pub enum Compiled {
    /// The module that it is a function of, and its number there.
    Ptx(Arc<Ptx>, usize),
    /// The compiler's reason.
    Refused(String),
    /// How it died.
    Died(String),
}

/// A module of PTX.
#[derive(Debug)]
pub struct Ptx {
    /// Its text.
    pub text: String,
    /// The same as a tree, or why it is none.
    pub tree: std::result::Result<Module, ParseError>,
}

/// Has functions compiled, many at a time; where that fails, by halves, so that each has a fate of its own.
///
/// # Errors
/// As [`Compiler::compile`].
pub fn compile<F: Function>(
    compiler: &Compiler,
    language: Language,
    jobs: &[Job<F>],
) -> Result<Vec<Vec<Compiled>>> {
    let mut compiled: Vec<Vec<Option<Compiled>>> =
        jobs.iter().map(|job| vec![None; job.functions.len()]).collect();
    // The functions of a job that are compiled together.
    let mut parts: Vec<(usize, Vec<usize>)> = Vec::new();
    for (at, job) in jobs.iter().enumerate() {
        let all: Vec<usize> = (0..job.functions.len()).collect();
        parts.extend(all.chunks(MOST).map(|part| (at, part.to_vec())));
    }
    while !parts.is_empty() {
        let requests: Vec<Request> = parts
            .iter()
            .map(|(at, part)| {
                let job = &jobs[*at];
                let functions: Vec<&F> = part.iter().map(|&number| job.functions[number]).collect();
                Request {
                    language: language.name().into(),
                    source: F::module(language, job.setting, &functions),
                    options: job.setting.options(language),
                    target: job.target.clone(),
                    want: Want::Ptx,
                }
            })
            .collect();
        let outcomes = compiler.compile(&requests)?;
        let mut next = Vec::new();
        for ((at, part), outcome) in parts.into_iter().zip(outcomes) {
            let fate = match outcome {
                Outcome::Ptx(text) => {
                    let ptx = Arc::new(Ptx { tree: text.parse(), text });
                    for (place, &number) in part.iter().enumerate() {
                        compiled[at][number] = Some(Compiled::Ptx(ptx.clone(), place));
                    }
                    continue;
                }
                _ if part.len() > 1 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    next.extend([(at, first.to_vec()), (at, second.to_vec())]);
                    continue;
                }
                Outcome::Refused(words) => Compiled::Refused(words),
                Outcome::Died(words) => Compiled::Died(words),
                Outcome::Code(_) => Compiled::Refused("it answered with machine code".into()),
            };
            compiled[at][part[0]] = Some(fate);
        }
        parts = next;
    }
    Ok(compiled.into_iter().map(|fates| fates.into_iter().flatten().collect()).collect())
}

impl Row {
    /// A function of this name that computes it.
    ///
    /// # Panics
    /// If the language has no such expression.
    fn function(&self, language: Language, name: &str) -> String {
        let expression = self.expression(language).expect("rows that a language has");
        let names = ["a", "b", "c"];
        let parameters = |prefix: &str| {
            let each = self.takes.iter().zip(names);
            let each = each.map(|(ty, name)| format!("{} {prefix}{name}", named(language, ty)));
            each.collect::<Vec<_>>().join(", ")
        };
        let gives = named(language, &self.gives);
        match language {
            Language::Cuda => format!(
                "extern \"C\" __device__ {gives} {name}({}) {{ return {expression}; }}\n",
                parameters("")
            ),
            Language::Nvvm | Language::Llvm => {
                let attributes = if language == Language::Llvm { " #0" } else { "" };
                let parameters = parameters("%");
                format!(
                    "define {gives} @{name}({parameters}){attributes} {{\n  %r = {expression}\n  ret {gives} %r\n}}\n"
                )
            }
        }
    }
}

/// A type of PTX in a source language.
fn named(language: Language, ty: &str) -> &'static str {
    let [cuda, ir] = match ty {
        "f16" => ["__half", "half"],
        "bf16" => ["__nv_bfloat16", "bfloat"],
        "f32" => ["float", "float"],
        "f64" => ["double", "double"],
        "s32" => ["int", "i32"],
        "u32" => ["unsigned", "i32"],
        "s64" => ["long long", "i64"],
        _ => ["unsigned long long", "i64"],
    };
    if language == Language::Cuda { cuda } else { ir }
}

/// The declarations of what rows call: `call T @f(T %a)` declares `T @f(T)`.
fn declarations(rows: &[&Row], language: Language) -> String {
    let calls = rows.iter().filter_map(|row| row.expression(language)?.strip_prefix("call "));
    let mut all: Vec<String> = calls
        .map(|call| {
            let bare = call.replace(" %a", "").replace(" %b", "").replace(" %c", "");
            format!("declare {bare}\n")
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all.concat()
}
