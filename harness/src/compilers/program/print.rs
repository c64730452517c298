//! A program as source text.

use super::{Node, Operation, Program, Relation, Type};
use crate::compilers::setting::{Setting, Switch};

/// A source language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// CUDA C++, by its operators and the functions that go with them.
    Cuda,
    /// NVIDIA's dialect of LLVM's, in which options say what may be flushed and contracted.
    Nvvm,
    /// LLVM's own, in which the source says that.
    Llvm,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 3] = [Language::Cuda, Language::Nvvm, Language::Llvm];

    /// Its name in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Language::Cuda => "cuda",
            Language::Nvvm => "nvvm-ir",
            Language::Llvm => "llvm-ir",
        }
    }
}

/// What a function is told: of LLVM's own language, what becomes of subnormal numbers. (Not as a group of
/// attributes: modules are made of functions under several settings.)
pub fn attributes(language: Language, setting: Setting) -> &'static str {
    match language {
        Language::Cuda | Language::Nvvm => "",
        Language::Llvm if setting.has(Switch::Ftz) => {
            " \"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\""
        }
        Language::Llvm => " \"denormal-fp-math-f32\"=\"ieee,ieee\"",
    }
}

impl Program {
    /// A source with the program as a function of this name.
    pub fn text(&self, language: Language, setting: Setting, name: &str) -> String {
        let flags = if setting.has(Switch::Fma) { "contract " } else { "" };
        match language {
            Language::Cuda => self.headers() + &self.cuda(name),
            Language::Nvvm => self.ir(name, "", "") + &self.declarations(),
            Language::Llvm => self.ir(name, flags, attributes(language, setting)) + &self.declarations(),
        }
    }

    /// The headers of its types.
    fn headers(&self) -> String {
        let has = |ty| self.types().contains(&ty);
        let half = if has(Type::F16) { "#include <cuda_fp16.h>\n" } else { "" };
        let brain = if has(Type::Bf16) { "#include <cuda_bf16.h>\n" } else { "" };
        format!("{half}{brain}")
    }

    /// The declarations of what it calls.
    fn declarations(&self) -> String {
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

    fn cuda(&self, name: &str) -> String {
        let (mut parameters, mut body) = (Vec::new(), String::new());
        for (place, (ty, node)) in self.values.iter().enumerate() {
            let value = match node {
                Node::Parameter => {
                    parameters.push(format!("{} v{place}", cuda_type(*ty)));
                    continue;
                }
                Node::Constant(bits) => cuda_constant(*ty, *bits),
                Node::Apply(operation, operands) => {
                    let names: Vec<String> = operands.iter().map(|of| format!("v{of}")).collect();
                    let of = operands.first().map_or(*ty, |&of| self.values[of].0);
                    cuda_operation(*operation, [of, *ty], &names)
                }
            };
            body += &format!("  const {} v{place} = {value};\n", cuda_type(*ty));
        }
        let (parameters, last) = (parameters.join(", "), self.values.len() - 1);
        let ty = cuda_type(self.result());
        format!("extern \"C\" __device__ {ty} {name}({parameters}) {{\n{body}  return v{last};\n}}\n")
    }

    fn ir(&self, name: &str, flags: &str, attributes: &str) -> String {
        let (mut parameters, mut body) = (Vec::new(), String::new());
        let mut names: Vec<String> = Vec::new();
        for (place, (ty, node)) in self.values.iter().enumerate() {
            let of = ir_type(*ty);
            names.push(format!("%v{place}"));
            match node {
                Node::Parameter => parameters.push(format!("{of} %v{place}")),
                // Every bit pattern has this spelling, in every dialect.
                Node::Constant(bits) => {
                    let width = ty.format().width();
                    let signed = (*bits << (64 - width)) as i64 >> (64 - width);
                    body += &format!("  %v{place} = bitcast i{width} {signed} to {of}\n");
                }
                Node::Apply(operation, operands) => {
                    let operand = |at: usize| names[operands[at]].as_str();
                    let from = self.values[operands[0]].0;
                    body += &ir_operation(*operation, [from, *ty], flags, place, &operand);
                }
            }
        }
        let (of, last) = (ir_type(self.result()), self.values.len() - 1);
        let parameters = parameters.join(", ");
        format!("define {of} @{name}({parameters}){attributes} {{\n{body}  ret {of} %v{last}\n}}\n")
    }
}

const fn cuda_type(ty: Type) -> &'static str {
    match ty {
        Type::F16 => "__half",
        Type::Bf16 => "__nv_bfloat16",
        Type::F32 => "float",
        Type::F64 => "double",
    }
}

fn cuda_constant(ty: Type, bits: u64) -> String {
    match ty {
        Type::F16 => format!("__ushort_as_half((unsigned short)0x{bits:04x})"),
        Type::Bf16 => format!("__ushort_as_bfloat16((unsigned short)0x{bits:04x})"),
        Type::F32 => format!("__int_as_float(0x{bits:08x})"),
        Type::F64 => format!("__longlong_as_double(0x{bits:016x}LL)"),
    }
}

const fn cuda_relation(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "<",
        Relation::LessOrEqual => "<=",
        Relation::Greater => ">",
        Relation::GreaterOrEqual => ">=",
        Relation::Equal => "==",
        Relation::NotEqual => "!=",
    }
}

fn cuda_operation(operation: Operation, [from, to]: [Type; 2], v: &[String]) -> String {
    let call = |half: &str, single: &str, double: &str| {
        let name = match to {
            Type::F16 | Type::Bf16 => half,
            Type::F32 => single,
            Type::F64 => double,
        };
        format!("{name}({})", v.join(", "))
    };
    let infix = |symbol: &str| format!("{} {symbol} {}", v[0], v[1]);
    match operation {
        Operation::Add => infix("+"),
        Operation::Sub => infix("-"),
        Operation::Mul => infix("*"),
        Operation::Div => infix("/"),
        Operation::Neg => format!("-{}", v[0]),
        Operation::Fma => call("__hfma", "fmaf", "fma"),
        Operation::Sqrt => call("hsqrt", "sqrtf", "sqrt"),
        Operation::Min => call("__hmin", "fminf", "fmin"),
        Operation::Max => call("__hmax", "fmaxf", "fmax"),
        Operation::Abs => call("__habs", "fabsf", "fabs"),
        Operation::CopySign => match to {
            // The headers have none.
            Type::F16 | Type::Bf16 => {
                let (as_bits, as_value) = match to {
                    Type::F16 => ("__half_as_ushort", "__ushort_as_half"),
                    _ => ("__bfloat16_as_ushort", "__ushort_as_bfloat16"),
                };
                let [a, b] = [&v[0], &v[1]];
                format!(
                    "{as_value}((unsigned short)(({as_bits}({a}) & 0x7fff) | ({as_bits}({b}) & 0x8000)))"
                )
            }
            Type::F32 => format!("copysignf({}, {})", v[0], v[1]),
            Type::F64 => format!("copysign({}, {})", v[0], v[1]),
        },
        Operation::Cast => cuda_cast(from, to, &v[0]),
        Operation::Select(relation) => {
            format!("({} {} {}) ? {} : {}", v[0], cuda_relation(relation), v[1], v[2], v[3])
        }
    }
}

fn cuda_cast(from: Type, to: Type, value: &str) -> String {
    match (from, to) {
        (Type::F16, Type::F32) => format!("__half2float({value})"),
        (Type::Bf16, Type::F32) => format!("__bfloat162float({value})"),
        (Type::F16 | Type::Bf16, _) => cuda_cast(Type::F32, to, &cuda_cast(from, Type::F32, value)),
        (Type::F32, Type::F16) => format!("__float2half_rn({value})"),
        (Type::F32, Type::Bf16) => format!("__float2bfloat16_rn({value})"),
        (Type::F64, Type::F16) => format!("__double2half({value})"),
        (Type::F64, Type::Bf16) => format!("__double2bfloat16({value})"),
        (_, Type::F32) => format!("(float)({value})"),
        (_, Type::F64) => format!("(double)({value})"),
    }
}

const fn ir_type(ty: Type) -> &'static str {
    match ty {
        Type::F16 => "half",
        Type::Bf16 => "bfloat",
        Type::F32 => "float",
        Type::F64 => "double",
    }
}

/// The end of an intrinsic's name.
const fn ir_suffix(ty: Type) -> &'static str {
    match ty {
        Type::F16 => "f16",
        Type::Bf16 => "bf16",
        Type::F32 => "f32",
        Type::F64 => "f64",
    }
}

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

/// The intrinsic of an operation that has one.
const fn ir_intrinsic(operation: Operation) -> Option<&'static str> {
    Some(match operation {
        Operation::Fma => "fma",
        Operation::Sqrt => "sqrt",
        Operation::Min => "minnum",
        Operation::Max => "maxnum",
        Operation::Abs => "fabs",
        Operation::CopySign => "copysign",
        _ => return None,
    })
}

fn ir_operation<'a>(
    operation: Operation,
    [from, to]: [Type; 2],
    flags: &str,
    place: usize,
    operand: &dyn Fn(usize) -> &'a str,
) -> String {
    let (ty, v) = (ir_type(to), format!("  %v{place} ="));
    if let Some(name) = ir_intrinsic(operation) {
        let operands = (0..operation.operands()).map(|at| format!("{ty} {}", operand(at)));
        let operands = operands.collect::<Vec<_>>().join(", ");
        return format!("{v} call {ty} @llvm.{name}.{}({operands})\n", ir_suffix(to));
    }
    let binary = |name: &str| format!("{v} {name} {flags}{ty} {}, {}\n", operand(0), operand(1));
    match operation {
        Operation::Add => binary("fadd"),
        Operation::Sub => binary("fsub"),
        Operation::Mul => binary("fmul"),
        Operation::Div => binary("fdiv"),
        Operation::Neg => format!("{v} fneg {ty} {}\n", operand(0)),
        Operation::Cast => {
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
        Operation::Select(relation) => format!(
            "  %p{place} = fcmp {} {} {}, {}\n{v} select i1 %p{place}, {ty} {}, {ty} {}\n",
            ir_relation(relation),
            ir_type(from),
            operand(0),
            operand(1),
            operand(2),
            operand(3)
        ),
        _ => unreachable!("it has an intrinsic"),
    }
}
