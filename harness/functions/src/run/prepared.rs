//! The preparation of functions: each is compiled, and its bodies that are to be measured are collected.

use std::sync::Arc;

use anyhow::{Result, bail};
use compilers::Compiler;
use compilers::language::Language;
use compilers::module::{CompileJob, Compiled, Ptx, compile};
use compilers::program_verdict::function;
use compilers::promises::Body;
use compilers::setting::{Setting, Switch};
use compilers::unit::Approximation;
use implementations::cuda::Executor;

use super::{Executed, MeasuredFunction, Measurement, MeasurementSelection};
use crate::inputs::Inputs;
use crate::table::LibraryFunction;

/// Returns the settings that functions are measured under.
pub fn settings() -> [Setting; 3] {
    let usual = Setting::default();
    [usual, usual.with_switch(Switch::Ftz, true), usual.with_switch(Switch::FastMath, true)]
}

/// Has functions compiled, and loaded where a device is to execute them; returns one subject for each function.
///
/// # Errors
/// If nothing is selected, the compiler breaks its protocol, or the device is unable to go on.
pub fn prepare<'a>(
    compiler: &Compiler,
    options: &MeasurementSelection,
    device: Option<&'a Executor>,
) -> Result<Vec<MeasuredFunction<'a>>> {
    let language = Language::Cuda;
    if !compiler.introduction().languages.iter().any(|own| own == language.name()) {
        bail!("{} does not compile CUDA C++, in which the functions are written", compiler.name());
    }
    let selected: Vec<&'static LibraryFunction> = LibraryFunction::matching(&options.only).collect();
    if selected.is_empty() {
        bail!("--only selects no function: for example, --only '*f' selects those of f32");
    }
    let is_wanted = |setting: &Setting| {
        options.settings.is_empty() || options.settings.contains(&setting.to_string())
    };
    let settings: Vec<Setting> = settings().into_iter().filter(is_wanted).collect();
    if settings.is_empty() {
        bail!(
            "--option selects no setting: functions are measured under `default`, `ftz` and `fast-math`"
        );
    }
    let places = options.targets.iter().flat_map(|target| settings.iter().map(move |&of| (target, of)));
    let jobs: Vec<CompileJob<&'static LibraryFunction>> = places
        .map(|(target, setting)| CompileJob {
            functions: selected.iter().collect(),
            target: target.clone(),
            setting,
        })
        .collect();
    let mut subjects: Vec<MeasuredFunction> = selected
        .iter()
        .map(|function| MeasuredFunction::new(function, options.inputs, device))
        .collect();
    for (job, compiled) in jobs.iter().zip(compile(compiler, language, &jobs)?) {
        for (subject, compiled) in subjects.iter_mut().zip(compiled) {
            if let Err(why) = subject.add(compiled, job.setting, &job.target)? {
                subject.left_out.push(format!("{} for {}: {why}", job.setting, job.target));
            }
        }
    }
    Ok(subjects)
}

impl<'a> MeasuredFunction<'a> {
    fn new(
        function: &'static LibraryFunction,
        inputs: u64,
        device: Option<&'a Executor>,
    ) -> MeasuredFunction<'a> {
        let inputs = Inputs::new(function.format.width(), function.arity, inputs);
        MeasuredFunction { function, inputs, measurements: Vec::new(), left_out: Vec::new(), device }
    }

    /// Adds the body that a compiler made of the function; the inner error says why that body is not executed.
    fn add(&mut self, compiled: Compiled, setting: Setting, target: &str) -> Result<Result<(), String>> {
        let (ptx, name) = match compiled {
            Compiled::Ptx(ptx, name) => (ptx, name),
            Compiled::Refused(words) | Compiled::Died(words) => return Ok(Err(words)),
        };
        let tree = match &ptx.tree {
            Ok(tree) => tree,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let Some(body) = Body::of(tree, &name) else {
            return Ok(Err("the module lacks the function".into()));
        };
        // The interpreter does not ask for the header.
        let header = self.device.map(|_| body.module.header);
        let documented = self.function.documented_under(setting);
        let flush = setting.has(Switch::Ftz) && self.function.format.width() == 32;
        let alike = |one: &&mut Measurement| {
            let same = one.flush == flush && one.documented.says == documented.says;
            same && one.body == body.text() && one.header == header
        };
        let mut found = false;
        // There is a measurement for each way of approximating.
        for same in self.measurements.iter_mut().filter(alike) {
            same.under.push((setting, target.to_owned()));
            found = true;
        }
        if found {
            return Ok(Ok(()));
        }
        let executed = match self.device {
            Some(device) => device.load(&body.module, &name)?.and_then(|one| {
                match one.is_of(self.function.format.width() as usize / 8) {
                    true => Ok(vec![Executed::OnDevice(one)]),
                    false => Err("the widths of its values are not those of the function's".into()),
                }
            }),
            None => interpreted(&ptx, &body),
        };
        let executed = match executed {
            Ok(executed) => executed,
            Err(why) => return Ok(Err(why)),
        };
        let mut approximations: Vec<String> = body
            .opcodes
            .iter()
            .filter(|name| name.contains(".approx") || name.contains(".full"))
            .cloned()
            .collect();
        approximations.sort_unstable();
        approximations.dedup();
        self.measurements.extend(executed.into_iter().map(|executed| Measurement {
            under: vec![(setting, target.to_owned())],
            documented,
            flush,
            approximations: approximations.clone(),
            body: body.text().to_owned(),
            header,
            executed,
        }));
        Ok(Ok(()))
    }
}

/// Prepares a body for the interpreter: once for each way of approximating where it approximates, else once.
fn interpreted(ptx: &Ptx, body: &Body) -> Result<Vec<Executed>, String> {
    let compiled = Arc::new(function(ptx, &body.name).map_err(|names| names.join(", "))?);
    let ways: &[Option<Approximation>] = match body.approximates {
        true => &Approximation::ALL.map(Some),
        false => &[None],
    };
    Ok(ways.iter().map(|&way| Executed::Interpreted(compiled.clone(), way)).collect())
}
