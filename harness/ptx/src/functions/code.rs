//! A function and what it calls, with their names looked up before anything is run.

use std::collections::HashMap;

use super::Error;
use super::action::{Action, Step};
use super::declared::{Declared, Register};
use super::memory::Extent;
use super::slots::Slots;
use super::tables::Tables;
use crate::interpreter::Problem;
use crate::syntax::{self, Instruction, Module, Parameter, Statement};

/// Deeper braces no function has.
const MOST_NESTED: usize = 16;

/// A function whose names are places.
#[derive(Debug)]
pub struct Code {
    pub name: String,
    pub steps: Vec<Step>,
    /// The opcode and the text of each instruction.
    pub texts: Vec<[String; 2]>,
    /// Its registers …
    pub registers: Vec<Register>,
    /// … and where they lie.
    pub slots: Slots,
    /// Its variables, parameters and results.
    pub extents: Vec<Extent>,
    parameters: Vec<(String, Extent)>,
    results: Vec<(String, Extent)>,
}

impl Code {
    /// The name and the bytes of each parameter.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, usize)> {
        self.parameters.iter().map(|(name, extent)| (name.as_str(), extent.bytes))
    }

    /// The name and the bytes of each result.
    pub fn results(&self) -> impl Iterator<Item = (&str, usize)> {
        self.results.iter().map(|(name, extent)| (name.as_str(), extent.bytes))
    }

    /// Where each parameter, and each result, lies.
    pub fn places(&self) -> [impl Iterator<Item = Extent>; 2] {
        [&self.parameters, &self.results].map(|each| each.iter().map(|&(_, extent)| extent))
    }

    /// What is wrong with an instruction.
    pub fn error(&self, instruction: usize, lane: Option<usize>, problem: Problem) -> Error {
        let text = instruction.checked_sub(1).and_then(|number| self.texts.get(number));
        let [opcode, text] = text.cloned().unwrap_or_default();
        Error { function: self.name.clone(), instruction, opcode, text, lane, problem }
    }
}

/// Functions that are looked up, those that are called as soon as a call of them is found.
pub struct Loading<'a> {
    module: &'a Module,
    pub tables: &'a Tables,
    /// Those that are reached, by number.
    reached: Vec<&'a syntax::Function>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Loading<'a> {
    pub fn new(module: &'a Module, tables: &'a Tables) -> Loading<'a> {
        Loading { module, tables, reached: Vec::new(), numbers: HashMap::new() }
    }

    /// The number of a function, if its body is in the module.
    pub fn number(&mut self, name: &str) -> Option<usize> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let is = |function: &&syntax::Function| function.name == name && function.body.is_some();
        let function = self.module.functions.iter().find(is)?;
        self.numbers.insert(&function.name, self.reached.len());
        self.reached.push(function);
        Some(self.reached.len() - 1)
    }

    /// Where a function has its parameters and its results, which come first in it.
    pub fn places(&self, number: usize) -> Option<[Vec<Extent>; 2]> {
        let function = self.reached.get(number)?;
        let mut declared = Declared::default();
        let mut place = |each: &[Parameter]| {
            each.iter().map(|one| declared.place(one)).collect::<Result<Vec<_>, _>>().ok()
        };
        Some([place(&function.parameters)?, place(&function.results)?])
    }

    /// The code of all that was reached.
    pub fn all(mut self) -> Result<Vec<Code>, Vec<Error>> {
        let (mut all, mut errors) = (Vec::new(), Vec::new());
        while let Some(&function) = self.reached.get(all.len()) {
            all.push(Writer::code(&mut self, function, &mut errors));
        }
        if errors.is_empty() { Ok(all) } else { Err(errors) }
    }
}

/// Writes down the code of one function.
pub struct Writer<'a, 'b> {
    pub loading: &'b mut Loading<'a>,
    pub declared: Declared,
    pub steps: Vec<Step>,
    texts: Vec<[String; 2]>,
    /// The register of the carry, once there is one.
    pub flag: Option<usize>,
    labels: HashMap<&'a str, usize>,
    /// Steps that branch, and where to.
    pub branches: Vec<(usize, &'a str)>,
    /// Steps that branch by a number, and the table that they take it to.
    pub tables: Vec<(usize, &'a str)>,
    targets: HashMap<&'a str, &'a [String]>,
    problems: Vec<(usize, Problem)>,
}

impl<'a> Writer<'a, '_> {
    fn code(loading: &mut Loading<'a>, function: &'a syntax::Function, errors: &mut Vec<Error>) -> Code {
        let mut writer = Writer {
            loading,
            declared: Declared::default(),
            steps: Vec::new(),
            texts: Vec::new(),
            flag: None,
            labels: HashMap::new(),
            branches: Vec::new(),
            tables: Vec::new(),
            targets: HashMap::new(),
            problems: Vec::new(),
        };
        writer.declared.open();
        let parameters = writer.places(&function.parameters);
        let results = writer.places(&function.results);
        writer.declared.open();
        writer.body(function.body.as_deref().unwrap_or_default(), 0);
        writer.go_on();
        let Writer { declared, steps, texts, problems, .. } = writer;
        let Declared { registers, extents, .. } = declared;
        let (name, slots) = (function.name.clone(), Slots::of(&steps, registers.len()));
        let code = Code { name, steps, texts, registers, slots, extents, parameters, results };
        let wrong = |(instruction, problem)| code.error(instruction, None, problem);
        errors.extend(problems.into_iter().map(wrong));
        code
    }

    fn places(&mut self, parameters: &[Parameter]) -> Vec<(String, Extent)> {
        let mut places = Vec::new();
        for parameter in parameters {
            match self.declared.place(parameter) {
                Ok(extent) => places.push((parameter.name.clone(), extent)),
                Err(problem) => self.problems.push((0, problem)),
            }
        }
        places
    }

    fn body(&mut self, body: &'a [Statement], nested: usize) {
        for statement in body {
            if let Err(problem) = self.statement(statement, nested) {
                self.problems.push((self.texts.len(), problem));
            }
        }
    }

    fn statement(&mut self, statement: &'a Statement, nested: usize) -> Result<(), Problem> {
        match statement {
            Statement::Label(name) => {
                if self.labels.insert(name, self.steps.len()).is_some() {
                    return Err(Problem::Redeclared(name.clone()));
                }
            }
            Statement::Declaration(declaration) => self.declared.declare(declaration)?,
            Statement::Variable(variable) if variable.values.is_empty() => {
                self.declared.place(&variable.of)?;
            }
            Statement::Variable(variable) => return Err(Problem::Unsupported(variable.to_string())),
            Statement::Shared { .. } => return Err(Problem::Unsupported(statement.to_string())),
            Statement::Targets { name, labels } => {
                if self.targets.insert(name, labels).is_some() {
                    return Err(Problem::Redeclared(name.clone()));
                }
            }
            Statement::Block(_) if nested == MOST_NESTED => return Err(Problem::Nested),
            Statement::Block(body) => {
                self.declared.open();
                self.body(body, nested + 1);
                self.declared.close();
            }
            Statement::Instruction(instruction) => {
                self.texts.push([instruction.opcode.to_string(), instruction.to_string()]);
                self.instruction(instruction)?;
            }
        }
        Ok(())
    }

    fn instruction(&mut self, instruction: &'a Instruction) -> Result<(), Problem> {
        let mut guard = None;
        if let Some(of) = &instruction.guard {
            guard = Some((self.declared.register(&of.predicate)?.0, !of.negated));
        }
        let before = self.steps.len();
        let action = self.action(instruction)?;
        self.push(action);
        // What was written down to prepare it is done where it is done.
        self.steps.iter_mut().skip(before).for_each(|step| step.guard = guard);
        Ok(())
    }

    /// Writes down a step of the instruction that is looked up.
    pub fn push(&mut self, action: Action) {
        self.steps.push(Step { guard: None, action, instruction: self.texts.len() });
    }

    /// Looks up where branches go.
    fn go_on(&mut self) {
        for (number, label) in std::mem::take(&mut self.branches) {
            let target = self.step_of(label);
            self.settle(number, target.map(Action::Branch));
        }
        for (number, table) in std::mem::take(&mut self.tables) {
            let none = || Problem::NoLabel(table.to_owned());
            let labels = self.targets.get(table).copied().ok_or_else(none);
            let targets = labels.and_then(|labels| labels.iter().map(|one| self.step_of(one)).collect());
            let index = match self.steps.get(number).map(|step| &step.action) {
                Some(Action::BranchIndexed { index, .. }) => *index,
                _ => continue,
            };
            self.settle(number, targets.map(|targets| Action::BranchIndexed { index, targets }));
        }
    }

    fn step_of(&self, label: &str) -> Result<usize, Problem> {
        self.labels.get(label).copied().ok_or_else(|| Problem::NoLabel(label.to_owned()))
    }

    fn settle(&mut self, number: usize, action: Result<Action, Problem>) {
        let Some(step) = self.steps.get_mut(number) else { return };
        match action {
            Ok(action) => step.action = action,
            Err(problem) => self.problems.push((step.instruction, problem)),
        }
    }
}
