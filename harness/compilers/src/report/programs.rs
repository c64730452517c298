//! Makes the report of a search by random programs, with its findings and the pairs of functions that differ.

use findings::report::value;
use reports::compilers::{Circumstances, CompilerReport, Finding, Origin, Sequence, Sources, Standing};
use reports::{Class, Datum, Example, Explanation, Flaw};

use super::{Started, add, blank, finished, work};
use crate::Compiler;
use crate::program::{Defect, Program, Spelled, Spelling, Type};
use crate::program_verdict::{Lack, WrongResult};
use crate::search::{
    self, EquivalentPair, Fatal, Search, SearchOutcome, class_of_kind, conditions, pair_class,
};
use crate::setting::Setting;

/// Makes the report of programs that were searched, from number `first` on.
pub fn of_programs(
    compiler: &Compiler,
    search: &Search,
    found: &SearchOutcome,
    first: u64,
    started: Started,
) -> CompilerReport {
    let language = search.plan.language;
    let mut work = work(Sources::Programs, language, &search.targets, &search.settings);
    (work.count, work.vectors, work.first) = (found.programs, search.vectors as u64, first);
    work.seed = Some(format!("{:#x}", search.seed));
    let mut report = blank(compiler, language.name(), work, started);
    let totals = &mut report.totals;
    (totals.right, totals.wrong) = (found.right, found.wrong);
    (totals.vectors, totals.undecided) = (found.vectors, found.undecided);
    (totals.refused, totals.died) = (found.refused.values().sum(), found.died.values().sum());
    (totals.illegal, totals.unexecuted) = (found.with_illegal, found.with_unexecuted);
    let pairs = &found.pairs;
    (totals.compared, totals.differing, totals.explained) =
        (pairs.compared, pairs.differ, pairs.explained);
    totals.cells =
        totals.right + totals.wrong + totals.refused + totals.died + totals.illegal + totals.unexecuted;
    let counted = [
        ("died", Standing::Fail, &found.died),
        ("illegal", Standing::Fail, &found.illegal),
        ("refused", Standing::Note, &found.refused),
        ("unexecuted", Standing::Note, &found.unexecuted),
    ];
    for (kind, status, counts) in counted {
        for (words, &cells) in counts {
            let fatal = found.fatal(kind, words);
            let of_source = |of: &Fatal| sequence(of.source(language), &of.target, of.setting);
            report.findings.push(Finding {
                cells,
                words: Some(words.clone()),
                sequences: fatal.map(of_source).into_iter().collect(),
                program: fatal.map(|fatal| Origin { index: fatal.index, by_constants: false }),
                ..Finding::new(class_of_kind(kind), status)
            });
        }
    }
    report.findings.extend(found.findings.iter().map(|finding| wrong(compiler, search, finding)));
    report.findings.extend(found.pairs.open.iter().map(|(class, pair)| differing(search, class, pair)));
    finished(report)
}

/// Makes the finding of a program that is wrong.
fn wrong(compiler: &Compiler, search: &Search, found: &search::WrongProgram) -> Finding {
    let search::WrongProgram {
        program, wrong, target, setting, everywhere, index, spelling, blame, ..
    } = found;
    let ty = program.result();
    let class = found.class();
    let datum = |name: &str, ty: Type, bits| -> Datum { value(name, ty.format().name, bits) };
    let mut permitted = wrong.permitted.iter().map(|&bits| datum("d", ty, bits));
    let example = Example {
        sweep: "program".into(),
        index: *index,
        operands: operands(program, *spelling, &wrong.operands),
        expected: permitted.next().into_iter().collect(),
        accepted: permitted.map(|datum| datum.bits).collect(),
        actual: vec![datum("d", ty, wrong.result)],
        words: None,
    };
    let explanation = explanation(wrong);
    let diagnosis = wrong.lacks.map_or("a result that is not permitted", Lack::words);
    let source = Spelled { program, spelling: *spelling }.text(search.plan.language, *setting, "f");
    let by_constants = blame.right_as().any(|of| of == Spelling::Parameters);
    let mut sequence = sequence(source, target, *setting);
    for (target, setting) in everywhere {
        add(&mut sequence, target, *setting);
    }
    let classes = vec![Class {
        id: class.clone(),
        diagnosis: diagnosis.into(),
        count: wrong.mismatches as u64,
        explanation,
        pattern: None,
        simplest: Some(example),
        waiver: None,
        examples: Vec::new(),
    }];
    Finding {
        // A program that wavers may be right everywhere by now, and was wrong once.
        cells: everywhere.len().max(1) as u64,
        words: found.remarks(),
        circumstances: Some(circumstances(compiler, search, found)),
        sequences: vec![sequence],
        vectors: wrong.results.len() as u64,
        mismatches: wrong.mismatches as u64,
        classes,
        program: Some(Origin { index: *index, by_constants }),
        ..Finding::new(class, Standing::Fail)
    }
}

/// Explains the results of a wrong program: by what it lacks, by approximations, or by known defects. `None` if nothing
/// explains them.
fn explanation(wrong: &WrongResult) -> Option<Explanation> {
    let of_defect = |defect: Defect| Flaw::new(defect.name(), defect.words());
    let flaws = match (wrong.lacks, wrong.defects) {
        (Some(lack), _) => vec![Flaw::new(lack.name(), lack.words())],
        // With the nearest results of its approximate instructions the function was right.
        _ if wrong.approximation.is_end() => vec![of_defect(Defect::Approximation)],
        (None, defects) => defects?.iter().map(of_defect).collect(),
    };
    Some(Explanation {
        mismatches: wrong.mismatches as u64,
        agreeing: (wrong.results.len() - wrong.mismatches) as u64,
        ..Explanation::of(flaws)
    })
}

/// Returns the circumstances of a wrong program: what compiled it, and under which other conditions it is right.
fn circumstances(compiler: &Compiler, search: &Search, found: &search::WrongProgram) -> Circumstances {
    let first = [&found.target].into_iter();
    let targets = first.chain(found.everywhere.iter().map(|(target, _)| target));
    let by = |target: &String| Some((target.clone(), compiler.compiles_for(target)?.to_owned()));
    let language = search.plan.language;
    Circumstances {
        compiled_by: targets.filter_map(by).collect(),
        right_as_soon_as: found.right_as_soon_as(language),
        levels: conditions(&found.blame.levels),
        versions: conditions(&found.blame.versions),
        neighbour: found.neighbour_source(language),
    }
}

/// Makes the finding of two functions of a program whose results differ, where too much is permitted for one to be
/// judged alone.
fn differing(search: &Search, class: &str, pair: &EquivalentPair) -> Finding {
    let EquivalentPair { count, proven, index, program, spelling, operands: of, results } = pair;
    let spelling = *spelling;
    let ty = program.result();
    let class = pair_class(class);
    let sequences = results.iter().map(|(target, setting, _)| {
        let source = Spelled { program, spelling }.text(search.plan.language, *setting, "f");
        sequence(source, target, *setting)
    });
    let [one, other] = results.each_ref().map(|(_, _, bits)| value("d", ty.format().name, *bits));
    let example = Example {
        sweep: "program".into(),
        index: *index,
        operands: operands(program, spelling, of),
        expected: vec![one],
        accepted: Vec::new(),
        actual: vec![other],
        words: None,
    };
    let (standing, words) = match proven {
        true => (Standing::Fail, "one of two results is not permitted"),
        false => (Standing::Note, "two results, and which of them is wrong is not known"),
    };
    let classes = vec![Class {
        id: class.clone(),
        diagnosis: words.into(),
        count: *count,
        explanation: None,
        pattern: None,
        simplest: Some(example),
        waiver: None,
        examples: Vec::new(),
    }];
    Finding {
        cells: 2,
        sequences: sequences.collect(),
        mismatches: *count,
        classes,
        program: Some(Origin { index: *index, by_constants: false }),
        words: Some(words.into()),
        ..Finding::new(class, standing)
    }
}

/// Makes a sequence of a source and of where it is compiled first.
fn sequence(source: String, target: &str, setting: Setting) -> Sequence {
    let mut sequence = Sequence { source: Some(source), ..Sequence::default() };
    add(&mut sequence, target, setting);
    sequence
}

/// Returns the values of a function's parameters: the program's own, by letters, and behind them its constants where
/// these are parameters, or in brackets where they are in memory.
fn operands(program: &Program, spelling: Spelling, values: &[u64]) -> Vec<Datum> {
    let datum = |name: &str, ty: Type, bits| -> Datum { value(name, ty.format().name, bits) };
    let own = ('a'..='z').map(String::from).zip(program.parameters()).zip(values);
    let mut all: Vec<Datum> = own.map(|((name, ty), &bits)| datum(&name, ty, bits)).collect();
    let constants = program.constants().into_iter().enumerate();
    match spelling {
        Spelling::Plain | Spelling::Opaque(_) => {}
        Spelling::Parameters => {
            all.extend(constants.map(|(at, (ty, bits))| datum(&format!("c{at}"), ty, bits)));
        }
        Spelling::Memory => {
            all.extend(constants.map(|(at, (ty, bits))| datum(&format!("[c{at}]"), ty, bits)));
        }
    }
    all
}
