//! `conformance judge`: holds somebody's own function or kernel to what it should compute.

mod against;
mod answer;
mod constants;
mod every;
mod executed;
mod folder;
mod largest;
mod list;
pub(super) mod proposals;
mod source;
pub(super) mod standard;
mod steps;
mod subject;
mod trials;
mod triton;
mod versions;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, bail};
use base::terminal::say;
use clap::Args;
use compilers::unit::{Approximating, Approximation};
use implementations::Support;
use implementations::code::{Code, Domain, LaunchText, Unreached};
use reports::Report;
use runner::{Judging, Plan, RunOutcome, RunSettings};
use selection::budget::Tier;

use self::against::Against;
use self::answer::{add_details, add_unreached, unreached_by_all};
use self::executed::Executed;
use self::largest::LargestError;
use self::standard::Standard;
use self::trials::Trial;
use super::conformance::{self, Output, Printed};
use super::options::{Jobs, Resume, Seed, Strict, Waived};
use super::{Ending, Format, MISMATCH, print, processors};
use crate::waivers::Waivers;

pub use self::list::judgements;
pub use self::versions::{VersionJudge, VersionVerdict};

/// Judge a function or a kernel of your own.
///
/// The function is executed on this machine's processor, so no GPU is needed; --impl names a GPU. Its results are compared with what
/// --as says, or with another function's. If a lane has at most 2^32 combinations of operands, all are tried. Without
/// --as and --against, the program prints the instructions whose results the function gives.
///
/// Exit code: 0 if no result is wrong, or a waiver covers each wrong result; 1 if a result is wrong and no waiver
/// covers it; 2 if there is no verdict.
#[derive(Args, Clone)]
pub struct Arguments {
    /// File of PTX (.ptx), CUDA C++ (.cu), LLVM IR (.ll, .bc) or Python (.py) with kernels of Triton; `-` for PTX from
    /// standard input. A compiler that `{program} setup` installs makes PTX of the others. `kernel.py:NAME` names one
    /// of several kernels. A file of Python is executed with your rights. A .toml file is a list of judgements
    /// [default: conformance.toml].
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// Function or kernel in FILE [default: the only one].
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Meaning of the function: the instruction that it should compute, such as `cvt.rn.satfinite.e4m3x2.f32`
    /// (`{program} list` prints all), an expression of instructions, such as `add.rn.f32(mul.rn.f32(a, b), c)`, or a
    /// function of CUDA C++, such as `expf`. `within N ulp of` may stand before it. docs/use/your-function.md has the
    /// grammar.
    #[arg(long = "as", value_name = "MEANING", conflicts_with = "against")]
    meaning: Option<String>,
    /// File with a function that should give the same bits; `FILE#NAME` names the function.
    #[arg(long, value_name = "FILE")]
    against: Option<String>,
    /// Condition on the operands, such as `|a| <= 448 and a is not subnormal`: only vectors that fulfil it are tried.
    /// docs/use/your-meaning.md has the grammar.
    #[arg(long = "where", value_name = "CONDITION")]
    domain: Option<Domain>,
    /// Values of the parameters of a kernel or a function, in order: `a`, `b`, `c` for an operand, `&d` for a pointer
    /// to a result, `&a` for an operand that is overwritten, `rows` for the number of elements, a number, `_` for a
    /// pointer that is not used, or `[a, b, 0...]` for a pointer to such elements [default: found out by executing the
    /// kernel].
    #[arg(long, value_name = "LAUNCH")]
    launch: Option<LaunchText>,
    /// Types of the parameters of a Triton kernel, in order and as Triton writes them, such as `*fp32, *bf16, i32`.
    /// `:16` behind an integer says that it is a multiple of 16; pointers are, unless `:1` is behind them [default: the
    /// annotations of the kernel, or else types that follow from the meaning].
    #[arg(long, value_name = "TYPES")]
    signature: Option<String>,
    /// Value of a parameter of a Triton kernel that is a constant, such as `BLOCK=128`. May be repeated [default: the
    /// value in the kernel's text; for the size of a block, one element for each thread].
    #[arg(long = "constant", value_name = "NAME=VALUE")]
    constants: Vec<String>,
    /// Threads of a block of a kernel: each launch executes all of them [default: the first thread alone if threads do
    /// not work together, and else what the kernel's PTX says, or the smallest number of 32, 64, … that works].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// GPU that executes the function, such as `cuda:0` [default: the suite's interpreter, which executes PTX on the
    /// processor].
    #[arg(long = "impl", value_name = "NAME")]
    device: Option<String>,
    /// Compiler of FILE, such as nvrtc@12.9.86 [default: nvrtc, llvm or triton, by the name of FILE].
    #[arg(long, value_name = "NAME")]
    compiler: Option<String>,
    /// Option of the compiler: a word such as `fast-math`, `ftz` or `!fma`, or an option as the compiler spells it,
    /// such as `--option=-O1` or, for Triton, `num_warps=1`. May be repeated.
    #[arg(long = "option", value_name = "WORD")]
    options: Vec<String>,
    /// Judge what the compiler makes under each of its settings in which all words of --option hold.
    #[arg(long)]
    every_setting: bool,
    /// GPU target that the compiler compiles for, such as `sm_90`; `all` for each that it has. May be repeated
    /// [default: sm_90].
    #[arg(long = "target", value_name = "TARGET")]
    targets: Vec<String>,
    /// Print the PTX of the function, and judge nothing.
    #[arg(long)]
    show: bool,
    /// How many vectors to test [default: `quick`, and then all inputs if there are at most 2^32].
    #[arg(long, value_enum)]
    tier: Option<Tier>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    resume: Resume,
    /// Reference that decides which results are right.
    #[arg(long, value_enum, default_value = "screened")]
    judge: Judging,
    #[command(flatten)]
    waivers: Waived,
    #[command(flatten)]
    strict: Strict,
    /// Directory of the report, of the state that --resume continues from, and of the PTX that a compiler made
    /// [default: target/judge/FILE-FUNCTION].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    printed: Printed,
}

/// The last trial: its plan, its report and how it ended; the largest error, and what no vector of any trial reached.
type Ended = (Plan, Report, RunOutcome, (Option<LargestError>, Vec<Unreached>));

/// Runs `conformance judge`.
pub fn run(arguments: &Arguments) -> Ending {
    let file = arguments.file.as_deref().unwrap_or(list::FILE);
    if file.ends_with(".toml") {
        return list::run(Path::new(file), arguments.jobs.given(), &arguments.out());
    }
    if arguments.every_setting || arguments.targets.len() > 1 || arguments.targets == ["all"] {
        return every::run(arguments);
    }
    judge(arguments)
}

/// Judges one function, as one setting of its compiler has it.
fn judge(arguments: &Arguments) -> Ending {
    let output = arguments.printed.begin()?;
    let waivers = Waivers::with_strict(arguments.waivers.load()?, &arguments.strict.strict);
    let code = arguments.code()?.within(arguments.domain.clone());
    let arguments = &arguments.with_folder_of(code.function_name());
    if arguments.show {
        print(&code.text())?;
        return Ok(ExitCode::SUCCESS);
    }
    let executed = Executed::new(code, arguments.device.as_deref())?;
    let standard = arguments.standard(executed.code())?;
    match &standard {
        Some(standard) => executed.check(standard)?,
        None if executed.is_on_device() => {
            bail!(
                "--impl goes with --as or --against: leave it out to see what the function may compute"
            )
        }
        None => {}
    }
    executed.launch_in_words().iter().for_each(|words| say(words));
    let Some(standard) = standard else {
        return proposals::propose(executed.into_code(), arguments.jobs.or(processors()));
    };
    let code = executed.code();
    let shape = standard.shape();
    if let Support::No(why) = executed.implementation().support(shape) {
        let of = standard.meaning(Approximation::Nearest).map(|meaning| meaning.text());
        let why = of.map_or(why.clone(), |of| why.replace(shape.text(), &format!("`{of}`")));
        let [takes, _] = code.shape();
        // A parameter that selects what is computed is no operand, and neither is a result that is read back.
        let read_back = code.launch_without_reading_back();
        let hint = match (takes.len() > shape.operands().len(), read_back) {
            (true, Some(launch)) => format!(
                "; if the code reads back what it has written, say that this is no operand with --launch '{launch}'"
            ),
            (true, None) if code.has_values() => {
                "; if a parameter has the same value for every vector, say which with --launch, such as --launch 'a, 1'"
                    .into()
            }
            (false, _) if code.threads().is_some() => {
                "; if a block makes one result of many elements, say which of them are operands, such as --launch \
                 '[a, b, 0...], &d'"
                    .into()
            }
            _ => String::new(),
        };
        bail!("{}: {why}{hint}", executed.implementation().describe().name);
    }
    let held = conformance::take(&arguments.out())?;
    let approximate = executed.approximate();
    let launches = executed.other_launches(shape);
    let trials = arguments.trials(shape, &approximate, (launches.len(), executed.is_slow()));
    executed.other_launches_in_words(&launches, shape).iter().for_each(|words| say(words));
    if !approximate.is_empty() {
        say(&format!(
            "The code uses {}. PTX bounds such results and does not fix them, so the code is tried three times: with \
             the nearest, the lowest and the highest results.",
            approximate.join(", ")
        ));
    }
    if trials.iter().any(|trial| trial.is_first_look) {
        say(
            "The quick tier is tried first. If no result is wrong, all operands are tried, which takes minutes.",
        );
    }
    let (mut executed, mut last, mut largest, mut unreached) = (executed, None, None, None);
    for (number, trial) in trials.iter().copied().enumerate() {
        let approximation = trial.approximation;
        executed = executed.with_unit(Arc::new(move || Box::new(Approximating::new(approximation))));
        let other = trial.launch.and_then(|launch| launches.get(launch));
        let other = other.map(|launch| executed.relaunched(launch)).transpose()?;
        let tried = other.as_ref().unwrap_or(&executed);
        let constants = constants::tasks(tried.code(), shape);
        let implementation = tried.implementation();
        let mut plan =
            arguments.plan(&standard, implementation, approximation, trial.tier, constants)?;
        let whole = trials::vectors(&plan);
        let threads = tried.threads_of_row();
        if other.is_some() {
            trials::cut(&mut plan, threads, launches.len());
        } else if threads > 1 && arguments.tier.is_none() {
            trials::cut_whole(&mut plan, threads);
        }
        let left_out = whole - trials::vectors(&plan);
        let settings = arguments.settings(implementation, &trials, number)?;
        let (mut report, outcome) =
            conformance::execute(&plan, implementation, &settings, output, &held)?;
        add_details(&mut report, &standard, tried, approximation);
        unreached = Some(unreached_by_all(unreached, tried.unreached()));
        if left_out > 0 {
            report.reduced.push(trials::left_out(left_out, whole, threads));
        }
        largest = LargestError::after(largest, &report, trial);
        if let Some(largest) = &largest {
            largest.add_to(&mut report, &trials);
        }
        let goes_on = outcome.complete && trial.goes_on(&report, waivers.as_ref());
        // The report is that of the launch that is judged whole, unless another one shows something wrong.
        if other.is_none() || !goes_on {
            last = Some((plan, report, outcome, (trial, other)));
        }
        if !goes_on {
            break;
        }
    }
    if let (Some(domain), Some((_, report, outcome, _))) = (executed.code().domain(), &last)
        && outcome.complete
        && report.totals.vectors == 0
    {
        arguments.forget(&trials);
        bail!("none of the vectors that are tried fulfils --where '{domain}'");
    }
    let Some((plan, mut report, outcome, (trial, other))) = last else {
        bail!("nothing was tried");
    };
    let unreached = unreached.unwrap_or_default();
    add_unreached(&mut report, &unreached);
    let ended = (plan, report, outcome, (largest, unreached));
    let executed = other.as_ref().unwrap_or(&executed);
    arguments.end(executed, &standard, ended, (&trials, trial), (waivers.as_ref(), output))
}

impl Arguments {
    /// Returns what the function is held to; `None` if the command line does not say it.
    ///
    /// # Errors
    /// If the meaning cannot be read, or the other function cannot be executed.
    fn standard(&self, code: &Code) -> Result<Option<Standard>> {
        if let Some(other) = &self.against {
            let (file, function) = match other.rsplit_once('#') {
                Some((file, function)) => (file, Some(function)),
                None => (other.as_str(), None),
            };
            // The only function of the file, or else that of the same name.
            let other = self.read(file, function, "against");
            let other = match (other, function, &self.function) {
                (Err(_), None, Some(same)) => self.read(file, Some(same), "against"),
                (other, ..) => other,
            }?;
            return Against::new(other, code).map(Standard::Function).map(Some);
        }
        let Some(text) = &self.meaning else { return Ok(None) };
        Standard::read(text).map(Some)
    }

    /// Writes and prints the report of the last trial, and what no vector reached.
    fn end(
        &self,
        executed: &Executed,
        standard: &Standard,
        (plan, report, outcome, (largest, unreached)): Ended,
        (trials, trial): (&[Trial], Trial),
        (waivers, output): (Option<&Waivers>, Output),
    ) -> Ending {
        let complete = outcome.complete;
        let steps = steps::text(&report, executed, standard, trial.approximation)?;
        let settings = RunSettings { directory: self.out(), jobs: 1, resume: false };
        let ending = conformance::end(&plan, report, &settings, outcome, (waivers, output))?;
        if complete {
            // Until now the states of all trials were there to be resumed.
            self.forget(trials);
        }
        if ending == ExitCode::from(MISMATCH) {
            trial.say_of_mismatches(trials);
        }
        if matches!(output.formatted.format, Format::Text) && !output.quiet {
            print(&largest.map(|largest| largest.line(trials)).unwrap_or_default())?;
            print(&steps)?;
            if complete {
                print(&executed.coverage(&unreached))?;
            }
        }
        Ok(ending)
    }
}
