//! Judges what a compiler makes of a function for several targets and under several settings. What is the same is judged
//! once.

use std::process::ExitCode;

use anyhow::{Result, bail};
use base::interrupt;
use base::terminal::say;
use compilers::setting::Setting;
use compilers::{CompileOutcome, CompileRequest, Compiler};
use implementations::bundled::compilers::Want;

use super::source::SourceKind;
use super::subject::target;
use super::{Arguments, judge, list};
use crate::FAILED;
use crate::command::{Ending, print};

/// The word for all targets of a compiler.
const ALL: &str = "all";

/// A target and a setting for which a source is compiled.
struct Cell {
    target: String,
    setting: Setting,
}

/// Cells for which a compiler makes the same code.
struct Group {
    /// The code without what depends on the target alone.
    code: String,
    cells: Vec<Cell>,
}

/// Compiles the file of the command line for each target and setting that it asks for, and judges each function that
/// comes of it. Reports are in folders of `--out`, by number.
///
/// # Errors
/// If the file is PTX, or a compiler cannot be run.
pub fn run(arguments: &Arguments) -> Ending {
    let file = arguments.file.as_deref().unwrap_or_default();
    let Some(kind) = arguments.kind(file)? else {
        bail!(
            "{file} is PTX, which is not compiled: leave out --every-setting, and all but one --target"
        );
    };
    if arguments.show {
        bail!(
            "--show goes with one setting and one target: leave out --every-setting, and all but one --target"
        );
    }
    if arguments.against.is_some() {
        bail!(
            "--against goes with one setting and one target: leave out --every-setting, and all but one --target"
        );
    }
    if arguments.every_setting && kind == SourceKind::Triton {
        bail!(
            "--every-setting has no settings of Triton: name one with --option, such as --option '!fma'"
        );
    }
    let compiler = arguments.connect(kind)?;
    let folder = arguments.folder_of_all();
    let (groups, refused) = compile(arguments, &compiler, kind, file)?;
    let cells: usize = groups.iter().map(|group| group.cells.len()).sum();
    print(&format!(
        "{} makes {} different functions of {file}, in {cells} cases of a target and a setting.\n",
        compiler.name(),
        groups.len()
    ))?;
    let mut endings = vec![ExitCode::from(FAILED); refused.len()];
    for words in refused {
        say(&words);
    }
    for (group, number) in groups.iter().zip(1..) {
        let Some(first) = group.cells.first() else { continue };
        print(&format!("\n{number}. {}\n", group.words()))?;
        let own = arguments.options.iter().filter(|word| word.starts_with('-')).cloned();
        let set = first.setting.to_string();
        let words = set.split(' ').filter(|word| *word != "default").map(str::to_owned);
        let options = match kind {
            SourceKind::Triton => arguments.options.clone(),
            SourceKind::Text(_) | SourceKind::Bitcode(_) => words.chain(own).collect(),
        };
        let one = Arguments {
            every_setting: false,
            targets: vec![first.target.clone()],
            options,
            out: Some(folder.join(number.to_string())),
            ..arguments.clone()
        };
        endings.push(judge(&one).unwrap_or_else(|error| {
            say(&format!("error: {error:#}"));
            ExitCode::from(FAILED)
        }));
        if interrupt::requested() && number < groups.len() {
            say(&format!("The functions behind number {number} were not judged."));
            endings.push(ExitCode::from(FAILED));
            break;
        }
    }
    list::sum_up(&endings, "functions")
}

/// Compiles a file for each target and setting that is asked for. Returns groups of what is the same, and a sentence
/// for each cell that the compiler refuses.
///
/// # Errors
/// If the file cannot be read, if the compiler cannot be run, or lacks a target or a setting.
fn compile(
    arguments: &Arguments,
    compiler: &Compiler,
    kind: SourceKind,
    file: &str,
) -> Result<(Vec<Group>, Vec<String>)> {
    let source = kind.read(file)?;
    let asked = arguments.targets.iter().map(String::as_str);
    let targets: Vec<String> = match arguments.targets.as_slice() {
        [] => vec![target(compiler, "sm_90")?],
        [one] if one == ALL => {
            compiler.introduction().targets.iter().map(|target| target.name.clone()).collect()
        }
        _ => asked.map(|asked| target(compiler, asked)).collect::<Result<_>>()?,
    };
    let function = arguments.function.as_deref();
    let (own, words): (Vec<String>, Vec<String>) = match kind {
        SourceKind::Triton => (arguments.triton_options(file, function)?, Vec::new()),
        SourceKind::Text(_) | SourceKind::Bitcode(_) => {
            arguments.options.iter().cloned().partition(|word| word.starts_with('-'))
        }
    };
    let (settings, language) = match kind {
        SourceKind::Triton => (vec![Setting::default()], None),
        SourceKind::Text(language) | SourceKind::Bitcode(language) => {
            let settings = match arguments.every_setting {
                true => Setting::matching(Setting::all(language), &words)?,
                false => vec![arguments.setting()?.0],
            };
            (settings, Some(language))
        }
    };
    let cells: Vec<Cell> = targets
        .iter()
        .flat_map(|target| settings.iter().map(|&setting| Cell { target: target.clone(), setting }))
        .collect();
    let request = |cell: &Cell| CompileRequest {
        language: kind.language().to_owned(),
        source: source.clone(),
        options: language
            .map(|language| cell.setting.options(language))
            .into_iter()
            .flatten()
            .chain(own.clone())
            .collect(),
        target: cell.target.clone(),
        want: Want::Ptx,
    };
    let outcomes = compiler.compile(&cells.iter().map(request).collect::<Vec<_>>())?;
    let (mut groups, mut refused): (Vec<Group>, Vec<String>) = (Vec::new(), Vec::new());
    for (cell, outcome) in cells.into_iter().zip(outcomes) {
        match outcome {
            CompileOutcome::Ptx(ptx) => {
                let code = without_header(&ptx);
                match groups.iter_mut().find(|group| group.code == code) {
                    Some(group) => group.cells.push(cell),
                    None => groups.push(Group { code, cells: vec![cell] }),
                }
            }
            CompileOutcome::Refused(words) | CompileOutcome::Died(words) => {
                let first = words.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                refused.push(format!("not compiled for {} with {}: {first}", cell.target, cell.setting));
            }
            CompileOutcome::Code(_) => bail!("{} gave no PTX", compiler.name()),
        }
    }
    if let (true, Some(first)) = (groups.is_empty(), refused.first()) {
        bail!("{first}");
    }
    Ok((groups, refused))
}

/// Returns PTX without comments and the lines that say its version and target.
fn without_header(ptx: &str) -> String {
    let is_header =
        |line: &&str| [".version", ".target", "//"].iter().any(|word| line.starts_with(word));
    ptx.lines().filter(|line| !is_header(line)).collect::<Vec<_>>().join("\n")
}

impl Group {
    /// Lists the cells: the settings of each list of targets that share them.
    fn words(&self) -> String {
        let mut settings: Vec<(Setting, Vec<&str>)> = Vec::new();
        for Cell { target, setting } in &self.cells {
            match settings.iter_mut().find(|(own, _)| own == setting) {
                Some((_, targets)) => targets.push(target),
                None => settings.push((*setting, vec![target])),
            }
        }
        let mut targets: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
        for (setting, of) in settings {
            match targets.iter_mut().find(|(own, _)| *own == of) {
                Some((_, all)) => all.push(setting.to_string()),
                None => targets.push((of, vec![setting.to_string()])),
            }
        }
        let one = |(targets, settings): &(Vec<&str>, Vec<String>)| {
            format!("{}: {}", targets.join(", "), settings.join("; "))
        };
        targets.iter().map(one).collect::<Vec<_>>().join(" / ")
    }
}

#[cfg(test)]
mod tests {
    use compilers::setting::Switch;

    use super::*;

    #[test]
    fn targets_that_share_settings_are_told_together() {
        let flushed = Setting::default().with_switch(Switch::Ftz, true);
        let cell = |target: &str, setting| Cell { target: target.into(), setting };
        let usual = Setting::default();
        let cells = vec![
            cell("a", usual),
            cell("a", flushed),
            cell("b", usual),
            cell("b", flushed),
            cell("c", usual),
        ];
        let group = |cells| Group { code: String::new(), cells };
        assert_eq!(group(cells).words(), "a, b, c: default / a, b: ftz");
        assert_eq!(group(vec![cell("a", usual), cell("a", flushed)]).words(), "a: default; ftz");
    }

    #[test]
    fn code_is_compared_without_its_header() {
        let text =
            |target: &str| format!("// by x\n.version 8.0\n.target {target}\n.func f()\n{{ ret; }}\n");
        assert_eq!(without_header(&text("sm_80")), without_header(&text("sm_90")));
        assert_eq!(without_header(&text("sm_80")), ".func f()\n{ ret; }");
    }
}
