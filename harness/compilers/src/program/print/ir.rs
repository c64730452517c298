//! Programs as source text in LLVM's language and in NVIDIA's dialect of it.

use super::Flags;
use crate::program::{Integer, Node, Program, ProgramOperation, Relation, Spelled, Spelling, Type};

impl Program {
    /// Returns the declarations of the intrinsics that the program calls.
    pub(super) fn declarations(&self) -> String {
        let mut all: Vec<String> = Vec::new();
        for (ty, node) in &self.values {
            let Node::Apply(operation, operands) = node else { continue };
            let Some(name) = ir_intrinsic(*operation) else { continue };
            let ty_name = ir_type(*ty);
            let types = vec![ty_name; operands.len()].join(", ");
            all.push(format!("declare {ty_name} @llvm.{name}.{}({types})\n", ir_suffix(*ty)));
        }
        all.sort_unstable();
        all.dedup();
        all.concat()
    }
}

impl Spelled<'_> {
    /// Returns the program as a function of this name, with flags at its operations and these attributes.
    pub(super) fn ir(&self, name: &str, flags: &Flags, attributes: &str) -> String {
        let (mut parameters, mut behind, mut body) = (Vec::new(), Vec::new(), String::new());
        let values = &self.program.values;
        let names: Vec<String> = (0..values.len()).map(|place| format!("%v{place}")).collect();
        for (place, (ty, node)) in values.iter().enumerate() {
            let of = ir_type(*ty);
            let own = match self.spelling {
                Spelling::Opaque(hidden) if hidden == place => format!("%o{place}"),
                _ => names[place].clone(),
            };
            match (node, self.spelling) {
                (Node::Parameter, _) => parameters.push(format!("{of} {own}")),
                (Node::Constant(_), Spelling::Parameters) => behind.push(format!("{of} {own}")),
                (Node::Constant(_), Spelling::Memory) => {
                    // Pointers to a type are what every dialect has.
                    behind.push(format!("{of}* %m{place}"));
                    body += &format!("  {own} = load {of}, {of}* %m{place}\n");
                }
                // Every bit pattern has this spelling, in every dialect.
                (Node::Constant(bits), _) => {
                    let width = ty.format().width();
                    // LLVM writes integers with their sign.
                    let signed = (*bits << (64 - width)) as i64 >> (64 - width);
                    body += &format!("  {own} = bitcast i{width} {signed} to {of}\n");
                }
                (Node::Apply(operation, operands), _) => {
                    let operand = |at: usize| names[operands[at]].as_str();
                    let from = values[operands[0]].0;
                    body += &ir_operation(*operation, [from, *ty], flags, (place, &own), &operand);
                }
            }
            if own != names[place] {
                body += &ir_opaque(*ty, place);
            }
        }
        parameters.extend(behind);
        let (of, last) = (ir_type(self.program.result()), values.len() - 1);
        let parameters = parameters.join(", ");
        format!("define {of} @{name}({parameters}){attributes} {{\n{body}  ret {of} %v{last}\n}}\n")
    }
}

/// Returns lines that make, for example, `%v3` of `%o3`, by an instruction of which the compiler knows nothing.
fn ir_opaque(ty: Type, place: usize) -> String {
    let (of, width) = (ir_type(ty), ty.format().width());
    let register = match width {
        16 => 'h',
        32 => 'r',
        _ => 'l',
    };
    format!(
        "  %i{place} = bitcast {of} %o{place} to i{width}\n  \
         %b{place} = call i{width} asm sideeffect \"mov.b{width} $0, $1;\", \"={register},{register}\"(i{width} \
         %i{place})\n  %v{place} = bitcast i{width} %b{place} to {of}\n"
    )
}

/// Returns the name of a type.
const fn ir_type(ty: Type) -> &'static str {
    match ty {
        Type::F16 => "half",
        Type::Bf16 => "bfloat",
        Type::F32 => "float",
        Type::F64 => "double",
    }
}

/// Returns the suffix that an intrinsic's name has for a type.
const fn ir_suffix(ty: Type) -> &'static str {
    match ty {
        Type::F16 => "f16",
        Type::Bf16 => "bf16",
        Type::F32 => "f32",
        Type::F64 => "f64",
    }
}

/// Returns the predicate of `fcmp`: ordered, but for `!=`, which holds of NaN.
const fn ir_relation(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "olt",
        Relation::LessOrEqual => "ole",
        Relation::Greater => "ogt",
        Relation::GreaterOrEqual => "oge",
        Relation::Equal => "oeq",
        Relation::NotEqual => "une",
    }
}

/// Returns the name of an operation's intrinsic, without `llvm.` and the type, if it has one.
const fn ir_intrinsic(operation: ProgramOperation) -> Option<&'static str> {
    Some(match operation {
        ProgramOperation::Fma => "fma",
        ProgramOperation::Sqrt => "sqrt",
        ProgramOperation::Min => "minnum",
        ProgramOperation::Max => "maxnum",
        ProgramOperation::Abs => "fabs",
        ProgramOperation::CopySign => "copysign",
        ProgramOperation::Round => "round",
        _ => return None,
    })
}

/// Returns the lines of an operation from a type to a type, whose result has the name `own`.
fn ir_operation<'a>(
    operation: ProgramOperation,
    [from, to]: [Type; 2],
    flags: &Flags,
    (place, own): (usize, &str),
    operand: &dyn Fn(usize) -> &'a str,
) -> String {
    let (ty, v) = (ir_type(to), format!("  {own} ="));
    let all: &str = if operation.has_flags() { &flags.all } else { "" };
    if let Some(name) = ir_intrinsic(operation) {
        let operands = (0..operation.operands()).map(|at| format!("{ty} {}", operand(at)));
        let operands = operands.collect::<Vec<_>>().join(", ");
        return format!("{v} call {all}{ty} @llvm.{name}.{}({operands})\n", ir_suffix(to));
    }
    let contract = flags.contract;
    let binary = |name: &str| format!("{v} {name} {contract}{all}{ty} {}, {}\n", operand(0), operand(1));
    match operation {
        ProgramOperation::Add => binary("fadd"),
        ProgramOperation::Sub => binary("fsub"),
        ProgramOperation::Mul => binary("fmul"),
        ProgramOperation::Div => binary("fdiv"),
        ProgramOperation::Rem => binary("frem"),
        ProgramOperation::Neg => format!("{v} fneg {all}{ty} {}\n", operand(0)),
        ProgramOperation::Cast => {
            let widths = [from, to].map(|ty| ty.format().width());
            match widths[0].cmp(&widths[1]) {
                std::cmp::Ordering::Less => {
                    format!("{v} fpext {} {} to {ty}\n", ir_type(from), operand(0))
                }
                std::cmp::Ordering::Greater => {
                    format!("{v} fptrunc {} {} to {ty}\n", ir_type(from), operand(0))
                }
                // From one half precision to the other, by way of single.
                std::cmp::Ordering::Equal => format!(
                    "  %w{place} = fpext {} {} to float\n{v} fptrunc float %w{place} to {ty}\n",
                    ir_type(from),
                    operand(0)
                ),
            }
        }
        ProgramOperation::Integer(Integer { width, signed }) => {
            let letter = if signed { 's' } else { 'u' };
            format!(
                "  %n{place} = fpto{letter}i {ty} {} to i{width}\n{v} {letter}itofp i{width} %n{place} to {ty}\n",
                operand(0)
            )
        }
        ProgramOperation::Select(relation) => format!(
            "  %p{place} = fcmp {all}{} {} {}, {}\n{v} select {}i1 %p{place}, {ty} {}, {ty} {}\n",
            ir_relation(relation),
            ir_type(from),
            operand(0),
            operand(1),
            flags.selections,
            operand(2),
            operand(3)
        ),
        _ => unreachable!("it has an intrinsic"),
    }
}
