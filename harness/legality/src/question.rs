//! The questions about instructions: every form of the table, and everything one step away from one.

use std::collections::HashMap;

use isa::{OperandList, PtxVersion, Target, Variant};

use super::spelling::Spelling;

/// Something to ask the assembler about.
pub trait AssemblerQuestion: Sync {
    /// Returns the instruction as it stands in a module.
    fn text(&self) -> &str;

    /// Whether the table has the instruction on this target in this version of PTX.
    fn is_legal(&self, target: Target, ptx: PtxVersion) -> bool;
}

/// An instruction to ask about.
#[derive(Debug)]
pub struct InstructionQuestion {
    /// The instruction as it stands in a module.
    pub text: String,
    /// The spelling of the instruction.
    pub spelling: Spelling,
    /// The form of the table that the instruction is; `None` for an illegal one.
    pub variant: Option<&'static Variant>,
}

impl AssemblerQuestion for InstructionQuestion {
    fn text(&self) -> &str {
        &self.text
    }

    /// Whether the table has the form. Two forms may share a spelling, but not an instruction: the operands tell them
    /// apart.
    fn is_legal(&self, target: Target, ptx: PtxVersion) -> bool {
        self.variant.is_some_and(|variant| variant.available(Some(target), Some(ptx)))
    }
}

/// All questions of a run, each once.
pub struct Questions {
    list: Vec<InstructionQuestion>,
    places: HashMap<String, u32>,
}

impl Questions {
    /// Collects the legal questions about `variants`, then those one step from them of which one in `sampling` is
    /// kept, then those about the instructions of `claims`.
    pub fn collect_near<'a>(
        variants: &[&'static Variant],
        sampling: usize,
        claims: impl IntoIterator<Item = (Spelling, &'a OperandList)>,
    ) -> Questions {
        let mut questions = Questions { list: Vec::new(), places: HashMap::new() };
        // Every form counts here, whatever is asked: a neighbour of the few may be another form.
        let forms: HashMap<String, &'static Variant> = Variant::all()
            .iter()
            .filter(|variant| variant.is_ptx() && variant.in_turn().is_none())
            .map(|variant| (Spelling::of(variant).instruction(&variant.form().plain_operands), variant))
            .collect();
        // An instruction that two threads execute is asked as one thread's instruction.
        for variant in variants.iter().filter(|variant| variant.in_turn().is_none()) {
            questions.add(Spelling::of(variant), &variant.form().plain_operands, &forms);
        }
        let mut seen = 0;
        let mut sample = |questions: &mut Questions, spelling, operands| {
            if seen % sampling == 0 {
                questions.add(spelling, operands, &forms);
            }
            seen += 1;
        };
        for variant in variants {
            for (spelling, operands) in neighbours(variant) {
                sample(&mut questions, spelling, operands);
            }
        }
        for (spelling, operands) in claims {
            questions.add(spelling, operands, &forms);
        }
        questions
    }

    /// Adds the question about a spelling with these operands, unless it is there already.
    fn add(
        &mut self,
        spelling: Spelling,
        operands: &OperandList,
        forms: &HashMap<String, &'static Variant>,
    ) {
        // The key has modifiers in one order, so that equal instructions meet; a legal one is asked in the manual's
        // order.
        let key = spelling.instruction(operands);
        let place = u32::try_from(self.list.len()).expect("fewer questions than 2^32");
        let std::collections::hash_map::Entry::Vacant(entry) = self.places.entry(key) else { return };
        let variant = forms.get(entry.key()).copied();
        let text = match variant {
            Some(variant) => spelling.instruction_as(variant.spelling(), operands),
            None => entry.key().clone(),
        };
        entry.insert(place);
        self.list.push(InstructionQuestion { text, spelling, variant });
    }

    /// Returns all questions.
    pub fn all(&self) -> &[InstructionQuestion] {
        &self.list
    }

    /// Returns the numbers of the questions about some instructions, whatever the order of their modifiers; nothing
    /// for instructions that are not asked about.
    pub fn numbers<'a>(
        &self,
        instructions: impl IntoIterator<Item = (Spelling, &'a OperandList)>,
    ) -> Vec<u32> {
        let place = |(spelling, operands): (Spelling, &OperandList)| {
            self.places.get(&spelling.instruction(operands)).copied()
        };
        instructions.into_iter().filter_map(place).collect()
    }
}

/// Returns everything one step away from a form, with the operands to try it with.
fn neighbours(variant: &'static Variant) -> Vec<(Spelling, &'static OperandList)> {
    let (own, form) = (Spelling::of(variant), variant.form());
    let operands = &form.plain_operands;
    let mut all = Vec::new();
    for spelling in own.modified().into_iter().chain(own.retyped()) {
        all.push((spelling, operands));
    }
    // A type more is refused whatever the modifiers: one spelling of each row and choice of types
    // stands for all.
    let required = form.slots.iter().filter(|slot| !slot.optional).map(|slot| slot.choices[0]);
    let more =
        if required.eq(variant.modifiers().iter().copied()) { own.overtyped() } else { Vec::new() };
    for spelling in own.undertyped().into_iter().chain(more) {
        for operands in spelling.usual_operands() {
            all.push((spelling.clone(), operands));
        }
    }
    all.retain(|(spelling, _)| !spelling.is_integral() && !spelling.is_deadly());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(texts: &[&str], sampling: usize) -> Questions {
        let named = |v: &&Variant| texts.contains(&v.text());
        let variants: Vec<&Variant> = Variant::all().iter().filter(named).collect();
        Questions::collect_near(&variants, sampling, [])
    }

    #[test]
    fn instructions_are_asked_once_and_forms_keep_their_order() {
        let questions = around(&["mul.ftz.rz.f16x2.f32x2.f32x2", "min.f32", "min.f32(a,b,c)"], 1);
        let texts: Vec<&str> = questions.all().iter().map(|question| &*question.text).collect();
        assert_eq!(
            texts[..3],
            [
                "min.f32 r0, r1, r2;",
                "min.f32 r0, r1, r2, r3;",
                "mul.ftz.rz.f16x2.f32x2.f32x2 r0, q0, q1;"
            ]
        );
        let mut sorted = texts.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), texts.len());
        let forms = questions.all().iter().filter_map(|question| question.variant);
        let forms: Vec<&str> = forms.map(Variant::text).collect();
        assert!(forms.contains(&"min.NaN.f32(a,b,c)") && forms.contains(&"min.f64"), "{forms:?}");
        assert!(texts.contains(&"min.sat.f32 r0, r1, r2, r3;"));
    }

    #[test]
    fn a_sample_is_the_same_every_time_and_keeps_every_form() {
        let texts = |sampling| {
            let questions = around(&["fma.rn.relu.bf16", "setp.eq.f16"], sampling);
            questions.all().iter().map(|question| question.text.clone()).collect::<Vec<_>>()
        };
        let (whole, tenth) = (texts(1), texts(10));
        assert_eq!(tenth, texts(10));
        assert_eq!(whole[..2], tenth[..2]);
        assert!(tenth.iter().all(|text| whole.contains(text)));
        assert!((whole.len() / 11..=whole.len() / 9).contains(&tenth.len()), "{}", tenth.len());
    }
}
