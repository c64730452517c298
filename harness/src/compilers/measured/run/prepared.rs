//! Functions as compilers have them: what is measured of each.

use std::sync::Arc;

use anyhow::{Result, bail};

use super::{Measurement, Options, Subject};
use crate::compilers::Compiler;
use crate::compilers::judged::function;
use crate::compilers::measured::inputs::Inputs;
use crate::compilers::measured::table::Function;
use crate::compilers::measured::unit::Way;
use crate::compilers::module::{Compiled, Job, compile};
use crate::compilers::program::Language;
use crate::compilers::promises::Body;
use crate::compilers::setting::{Setting, Switch};

/// The settings that functions are measured under.
pub fn settings() -> [Setting; 3] {
    let usual = Setting::default();
    [usual, usual.with(Switch::Ftz, true), usual.with(Switch::FastMath, true)]
}

/// Has functions compiled.
///
/// # Errors
/// If nothing is selected, or the compiler breaks its protocol.
pub fn prepare(compiler: &Compiler, options: &Options) -> Result<Vec<Subject>> {
    let language = Language::Cuda;
    if !compiler.introduction().languages.iter().any(|own| own == language.name()) {
        bail!("{} does not compile CUDA C++, which the functions are of", compiler.name());
    }
    let selected: Vec<&'static Function> = Function::matching(&options.only).collect();
    if selected.is_empty() {
        bail!("--only selects no function: --only '*f' has those of f32");
    }
    let is_wanted = |setting: &Setting| {
        options.settings.is_empty() || options.settings.contains(&setting.to_string())
    };
    let settings: Vec<Setting> = settings().into_iter().filter(is_wanted).collect();
    if settings.is_empty() {
        bail!(
            "--option selects none of `default`, `ftz`, `fast-math`, under which functions are measured"
        );
    }
    let places = options.targets.iter().flat_map(|target| settings.iter().map(move |&of| (target, of)));
    let jobs: Vec<Job<&'static Function>> = places
        .map(|(target, setting)| Job {
            functions: selected.iter().collect(),
            target: target.clone(),
            setting,
        })
        .collect();
    let mut subjects: Vec<Subject> =
        selected.iter().map(|function| Subject::new(function, options.inputs)).collect();
    for (job, compiled) in jobs.iter().zip(compile(compiler, language, &jobs)?) {
        for (subject, compiled) in subjects.iter_mut().zip(compiled) {
            if let Err(why) = subject.add(compiled, job.setting, &job.target) {
                subject.left_out.push(format!("{} for {}: {why}", job.setting, job.target));
            }
        }
    }
    Ok(subjects)
}

impl Subject {
    fn new(function: &'static Function, inputs: u64) -> Subject {
        let inputs = Inputs::new(function.format.width(), function.arity, inputs);
        Subject { function, inputs, measurements: Vec::new(), left_out: Vec::new() }
    }

    /// Adds what a compiler made of it.
    fn add(&mut self, compiled: Compiled, setting: Setting, target: &str) -> Result<(), String> {
        let (ptx, name) = match compiled {
            Compiled::Ptx(ptx, name) => (ptx, name),
            Compiled::Refused(words) | Compiled::Died(words) => return Err(words),
        };
        let tree = ptx.tree.as_ref().map_err(ToString::to_string)?;
        let body = Body::of(tree, &name).ok_or("a module without the function")?;
        let documented = self.function.under(setting);
        let flush = setting.has(Switch::Ftz) && self.function.format.width() == 32;
        let alike = |one: &&mut Measurement| {
            one.body == body.text() && one.flush == flush && one.documented.says == documented.says
        };
        let mut found = false;
        for same in self.measurements.iter_mut().filter(alike) {
            same.under.push((setting, target.to_owned()));
            found = true;
        }
        if found {
            return Ok(());
        }
        let compiled = Arc::new(function(&ptx, &name).map_err(|names| names.join(", "))?);
        let ways: &[Option<Way>] = match body.approximates {
            true => &Way::ALL.map(Some),
            false => &[None],
        };
        let mut approximations: Vec<String> = body
            .opcodes
            .iter()
            .filter(|name| name.contains(".approx") || name.contains(".full"))
            .cloned()
            .collect();
        approximations.sort_unstable();
        approximations.dedup();
        self.measurements.extend(ways.iter().map(|&way| Measurement {
            under: vec![(setting, target.to_owned())],
            way,
            documented,
            flush,
            approximations: approximations.clone(),
            body: body.text().to_owned(),
            compiled: compiled.clone(),
        }));
        Ok(())
    }
}
