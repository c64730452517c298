//! `conformance dev vectors innocuous`: tells where computing in a wider format and rounding again does no harm.

use std::process::ExitCode;
use std::sync::Mutex;

use base::locks::{lock, opened};
use base::pool::Pool;
use base::terminal::say;
use clap::Args;
use indicatif::HumanCount;
use prover::innocuous::{InnocuousAnswer, InnocuousQuestion, Witness};

use crate::command::options::Jobs;
use crate::command::{AGREE, Ending, print, processors};

/// The cell in place of the number of cases where operands were found for which rounding twice does harm.
const STOPPED: &str = "stopped at the first difference";

/// Print where rounding twice, through a wider format, is harmless.
///
/// The output is a Markdown table. For each format and operation, the table gives the first operands for which
/// rounding twice changes the result, or says that rounding twice is proven never to change it.
///
/// Exit code: 0 on success; 2 on an error.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    jobs: Jobs,
    /// Only operands and results of this floating-point type: e4m3, e5m2, f16 or bf16.
    #[arg(long = "type", alias = "format", value_name = "TYPE")]
    ty: Option<String>,
}

/// Runs `conformance dev vectors innocuous`.
pub fn run(arguments: &Arguments) -> Ending {
    let all = InnocuousQuestion::all();
    let is_asked = |question: &&InnocuousQuestion| {
        arguments.ty.as_ref().is_none_or(|name| name == question.format.name)
    };
    let asked: Vec<&InnocuousQuestion> = all.iter().filter(is_asked).collect();
    anyhow::ensure!(!asked.is_empty(), "unknown --type: write e4m3, e5m2, f16 or bf16");
    print(
        "| format | operation | rounding | first to | and then | cases decided, not counting signs |\n\
         | --- | --- | --- | --- | --- | ---: |\n",
    )?;
    let pool = Pool::new(arguments.jobs.or(processors()));
    for question in asked {
        let InnocuousQuestion { format, operation, intermediate, rounding } = question;
        say(&format!("{operation} of {} by way of {}", format.name, intermediate.name));
        let failed = Mutex::new(None);
        // The prover knows nothing of the pool's errors, so the first one is kept here.
        let threads = |most: usize, work: &(dyn Fn() + Sync)| {
            if let Err(error) = pool.lend(most, work) {
                lock(&failed).get_or_insert(error);
            }
        };
        let InnocuousAnswer { witness, decided } = question.answer(&threads);
        opened(failed).map_or(Ok(()), Err)?;
        let (verdict, decided) = match witness {
            None => ("innocuous".to_owned(), HumanCount(decided).to_string()),
            Some(Witness { operands, once, twice }) => {
                let operands = operands.map(|bits| format!("{bits:#06x}"));
                let operands = operands[..operation.inputs()].join(", ");
                (format!("not: {operands} give {twice:#06x} for {once:#06x}"), STOPPED.into())
            }
        };
        print(&format!(
            "| {} | {operation} | {rounding} | {} | {verdict} | {decided} |\n",
            format.name, intermediate.name
        ))?;
    }
    Ok(ExitCode::from(AGREE))
}
