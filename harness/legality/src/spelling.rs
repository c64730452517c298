//! Spellings of instructions, legal or not, and those one step away from a spelling.

use std::collections::HashMap;
use std::sync::OnceLock;

use isa::{Modifier, OperandList, Operation, PtxVersion, Target, Type, Variant, forms};
use ptx::syntax::Instruction;

/// The kinds of modifiers: modifiers of one kind take each other's place. A modifier of no kind has none to swap with.
const KINDS: &[&[Modifier]] = {
    use Modifier::*;
    &[
        &[Rn, Rz, Rm, Rp, Rna, Rs, Rni, Rzi, Rmi, Rpi, Approx, Full],
        &[Sat, Satfinite, Relu],
        &[Oob, Pzo],
        &[PropagateNan, XorsignAbs, Abs],
        &[ScaledDown, ScaledUp],
        &[Eq, Ne, Lt, Le, Gt, Ge, Lo, Ls, Hi, Hs, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Unordered],
        &[And, Or, Xor],
        &[Finite, Infinite, Number, Notanumber, Normal, Subnormal],
        &[Ftz, Noftz],
        &[Global, Shared],
        &[Add, Min, Max],
        &[V2, V4, V8],
        &[Lanes32, Lanes16Twice],
        &[X2, X4, X8, X16, X32, X64, X128],
        &[Sync],
        &[ReduceAsyncBulk, ReduceTensor],
        &[Multimem],
        &[Dim1],
        &[Tile],
        &[Sparse24],
        &[Report, ReportBytes],
        &[OverrideAddress],
        &[RelaxedSys],
        &[Red, LdReduce, Cp, LdRed, LdRedSpcompress, TryRed, TryRedTensor, TryPullred, TryAtom],
        &[AccF32, AccF16],
        &[SharedCta],
        &[BulkGroup],
    ]
};

/// A mnemonic with modifiers and types, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// The mnemonic.
    pub operation: Operation,
    /// The modifiers, in one order for all spellings, so that equal ones print alike: their order is free.
    pub modifiers: Vec<Modifier>,
    /// The types, in the order of the spelling.
    pub types: Vec<Type>,
}

/// Returns every type that the table prints, and `.pred`, which ptxas takes in places where it is none.
fn types() -> &'static [Type] {
    static TYPES: OnceLock<Vec<Type>> = OnceLock::new();
    TYPES.get_or_init(|| {
        let printed = Variant::all().iter().filter(|v| v.is_ptx()).flat_map(|v| v.printed());
        let mut types: Vec<Type> = Type::named("pred").into_iter().collect();
        for ty in printed {
            if !types.contains(ty) {
                types.push(*ty);
            }
        }
        types
    })
}

impl Spelling {
    /// Makes a spelling with modifiers given in any order.
    pub fn new(operation: Operation, mut modifiers: Vec<Modifier>, types: Vec<Type>) -> Spelling {
        modifiers.sort_unstable();
        Spelling { operation, modifiers, types }
    }

    /// Returns the spelling of a variant.
    pub fn of(variant: &Variant) -> Spelling {
        Spelling::new(variant.operation(), variant.modifiers().to_vec(), variant.printed().to_vec())
    }

    fn has(&self, modifier: Modifier) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// Returns how many of the modifiers say that the instruction loads from tensor memory.
    fn loads(&self) -> usize {
        [Modifier::LdRed, Modifier::LdRedSpcompress].iter().filter(|&&load| self.has(load)).count()
    }

    /// Returns the spelling without a modifier, in all its occurrences.
    pub fn without_modifier(&self, modifier: Modifier) -> Spelling {
        let rest = self.modifiers.iter().copied().filter(|&one| one != modifier);
        Spelling { modifiers: rest.collect(), ..self.clone() }
    }

    /// Returns the spelling with one modifier more.
    fn with_modifier(&self, modifier: Modifier) -> Spelling {
        let modifiers = self.modifiers.iter().copied().chain([modifier]).collect();
        Spelling::new(self.operation, modifiers, self.types.clone())
    }

    /// Returns the spelling with these types instead of its own.
    fn typed(&self, types: Vec<Type>) -> Spelling {
        Spelling { types, ..self.clone() }
    }

    /// Returns the spelling without one of its types.
    pub fn without_type(&self, at: usize) -> Spelling {
        let mut types = self.types.clone();
        types.remove(at);
        self.typed(types)
    }

    /// Returns the spelling as text, its modifiers in their one order.
    fn text(&self) -> String {
        let mut text = self.operation.mnemonic().to_owned();
        for modifier in &self.modifiers {
            text = text + "." + modifier.text();
        }
        for ty in &self.types {
            text = text + "." + ty.name;
        }
        text
    }

    /// Whether the table has the spelling on this target in this version, with whatever operands.
    pub fn is_legal(&self, target: Target, ptx: PtxVersion) -> bool {
        static LEGAL: OnceLock<HashMap<String, Vec<&Variant>>> = OnceLock::new();
        let legal = LEGAL.get_or_init(|| {
            let mut legal: HashMap<_, Vec<_>> = HashMap::new();
            for variant in Variant::all() {
                legal.entry(Spelling::of(variant).text()).or_default().push(variant);
            }
            legal
        });
        let mut variants = legal.get(&self.text()).into_iter().flatten();
        variants.any(|variant| variant.available(Some(target), Some(ptx)))
    }

    /// Returns the instruction: the spelling with numbered registers for these operands and for those that its
    /// modifiers bring.
    pub fn instruction(&self, operands: &OperandList) -> String {
        self.instruction_as(&self.text(), operands)
    }

    /// Returns the instruction with numbered registers, spelled as given: a variant has its modifiers in the manual's
    /// order.
    pub fn instruction_as(&self, spelling: &str, operands: &OperandList) -> String {
        self.tree(spelling, operands).to_string()
    }

    /// Returns the instruction as a syntax tree, spelled as given.
    fn tree(&self, spelling: &str, operands: &OperandList) -> Instruction {
        let signature = operands.with_modifiers(&self.modifiers).signature(&self.types);
        let mut names = ptx::RegisterNumbers::default();
        ptx::instruction(spelling, &signature, |register| names.next(register))
    }

    /// Returns the spellings with one modifier dropped, added, or swapped for another of its kind.
    pub fn modified(&self) -> Vec<Spelling> {
        let mut near = Vec::new();
        for &modifier in &self.modifiers {
            let rest = self.without_modifier(modifier);
            let kin = KINDS.iter().filter(|kind| kind.contains(&modifier)).copied().flatten();
            near.extend(kin.filter(|&&other| !self.has(other)).map(|&other| rest.with_modifier(other)));
            near.push(rest);
        }
        let others = Modifier::ALL.iter().filter(|&&other| !self.has(other));
        near.extend(others.map(|&other| self.with_modifier(other)));
        // The modifier `.relaxed.sys` changes no result, and nothing is asked about where it may stand or not.
        let ordered = matches!(
            self.operation,
            Operation::Atom | Operation::Red | Operation::Cp | Operation::Multimem
        );
        near.retain(|near| !(ordered && near.has(Modifier::RelaxedSys)));
        // The modifier `.tile` is what is meant where nothing is said.
        let tensor = self.has(Modifier::Tile);
        near.retain(|near| !tensor || near.has(Modifier::Tile));
        // On these operations `.shared::cta` says which shared memory `.shared` is, and no more.
        let word = matches!(self.operation, Operation::Atom | Operation::Red);
        near.retain(|near| !(word && near.has(Modifier::SharedCta)));
        // On these loads `.sync` would be said once more, and ptxas does not mind.
        near.retain(|near| !(near.loads() != 0 && near.has(Modifier::Sync)));
        near
    }

    /// Returns the spellings with one type swapped.
    pub fn retyped(&self) -> Vec<Spelling> {
        let swap = |at: usize| {
            let others = types().iter().filter(move |&&ty| ty != self.types[at]);
            others.map(move |&ty| {
                let mut types = self.types.clone();
                types[at] = ty;
                self.typed(types)
            })
        };
        (0..self.types.len()).flat_map(swap).collect()
    }

    /// Returns the spellings with one type more.
    pub fn overtyped(&self) -> Vec<Spelling> {
        let insert = |at: usize| {
            types().iter().map(move |&ty| {
                let mut types = self.types.clone();
                types.insert(at, ty);
                self.typed(types)
            })
        };
        (0..=self.types.len()).flat_map(insert).collect()
    }

    /// Returns the spellings with one type less, as long as one is left.
    pub fn undertyped(&self) -> Vec<Spelling> {
        let many = self.types.len() > 1;
        (0..self.types.len()).filter(|_| many).map(|at| self.without_type(at)).collect()
    }

    /// Returns every way in which the operation writes operands with this many types, or with the most below.
    pub fn usual_operands(&self) -> Vec<&'static OperandList> {
        let rows = || {
            forms()
                .iter()
                .filter(|form| form.operation == self.operation)
                .map(|form| (form.signatures[0].printed.len(), &form.plain_operands))
                .filter(|&(types, _)| types <= self.types.len())
        };
        let most = rows().map(|(types, _)| types).max();
        // Lists that differ in what registers mean, and not in how they are written, are one.
        let mut written: Vec<(Instruction, &OperandList)> = Vec::new();
        for (_, list) in rows().filter(|&(types, _)| Some(types) == most) {
            let tree = self.tree("", list);
            if written.iter().all(|(known, _)| *known != tree) {
                written.push((tree, list));
            }
        }
        written.into_iter().map(|(_, list)| list).collect()
    }

    /// Whether the spelling is another instruction, of integers alone, which the table does not describe.
    pub fn is_integral(&self) -> bool {
        !self.types.is_empty() && self.types.iter().all(|ty| ty.format.is_integer())
    }

    /// Whether ptxas 13.5 dies of the spelling, or does not read it, which leaves the rest of a module without a
    /// verdict.
    pub fn is_deadly(&self) -> bool {
        let scaled = self.has(Modifier::ScaledDown) || self.has(Modifier::ScaledUp);
        // Of such instructions ptxas has the beginning as one word, with `cp`, and parses no other.
        let no_word = self.operation == Operation::Multimem
            && self.has(Modifier::ReduceAsyncBulk)
            && !self.has(Modifier::Cp);
        // Nor does ptxas read `tcgen05` that goes on otherwise than with `ld`.
        let others = [Modifier::Red, Modifier::LdReduce, Modifier::Cp, Modifier::ReduceAsyncBulk];
        let no_load = self.operation == Operation::Tcgen05
            && (self.loads() != 1 || others.iter().any(|&other| self.has(other)));
        scaled && self.operation != Operation::Cvt || no_word || no_load
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelling(text: &str) -> Spelling {
        Spelling::of(&text.parse().unwrap())
    }

    fn texts(spellings: &[Spelling], operands: &'static str) -> Vec<String> {
        let operands = OperandList::read(operands);
        spellings.iter().map(|spelling| spelling.instruction(&operands)).collect()
    }

    #[test]
    fn every_modifier_has_at_most_one_kind() {
        let kinds = |m: &Modifier| KINDS.iter().filter(|kind| kind.contains(m)).count();
        assert!(Modifier::ALL.iter().all(|m| kinds(m) <= 1));
        let none: Vec<&str> = Modifier::ALL.iter().filter(|m| kinds(m) == 0).map(|m| m.text()).collect();
        assert_eq!(none, [""; 0], "a new modifier wants a kind");
    }

    #[test]
    fn modifiers_come_go_and_change_with_their_operands() {
        let near = texts(&spelling("fma.rn.sat.f16").modified(), "d, a, b, c");
        for expected in [
            "fma.sat.f16 h0, h1, h2, h3;",
            "fma.rz.sat.f16 h0, h1, h2, h3;",
            "fma.approx.sat.f16 h0, h1, h2, h3;",
            "fma.rn.relu.f16 h0, h1, h2, h3;",
            "fma.rn.f16 h0, h1, h2, h3;",
            "fma.rn.ftz.sat.f16 h0, h1, h2, h3;",
            "fma.rn.sat.and.f16 h0, h1, h2, h3, p0;",
            "fma.rs.sat.f16 h0, h1, h2, h3, r0;",
        ] {
            assert!(near.iter().any(|text| text == expected), "no {expected}");
        }
        let (dropped, swapped, added) = (2, 11 + 2, Modifier::ALL.len() - 2);
        assert_eq!(near.len(), dropped + swapped + added);
    }

    #[test]
    fn types_come_go_and_change_with_their_registers() {
        let mixed = spelling("fma.rn.f32.bf16");
        let swapped = texts(&mixed.retyped(), "d:dtype, a:atype, b:atype, c:dtype");
        assert!(swapped.contains(&"fma.rn.f64.bf16 q0, h0, h1, q1;".to_owned()), "{swapped:?}");
        assert!(swapped.contains(&"fma.rn.f32.f64 r0, q0, q1, r1;".to_owned()));
        assert_eq!(swapped.len(), 2 * (types().len() - 1));
        assert_eq!(texts(&mixed.undertyped(), "d, a, b, c")[0], "fma.rn.bf16 h0, h1, h2, h3;");
        assert_eq!(mixed.overtyped().len(), 3 * types().len());
        assert_eq!(spelling("fma.rn.f32").undertyped(), []);
    }

    #[test]
    fn operands_of_other_arities_are_those_of_the_nearest_rows() {
        let mul = |types: &[&str]| {
            let types = types.iter().map(|name| Type::named(name).unwrap()).collect();
            let lists = Spelling::new(Operation::Mul, Vec::new(), types).usual_operands();
            lists.iter().map(|list| list.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(mul(&["f32"]), ["d, a, b"]);
        assert_eq!(mul(&["f32", "f16"]), ["d, a, b"]);
        assert_eq!(mul(&["f32", "f16", "f16"]), ["d:dtype, a:atype, c:btype"]);
    }
}
