//! CUDA C++.

use crate::compilers::program::{Node, Operation, Program, Relation, Type};

impl Program {
    /// The headers of its types.
    pub(super) fn headers(&self) -> String {
        let has = |ty| self.types().contains(&ty);
        let half = if has(Type::F16) { "#include <cuda_fp16.h>\n" } else { "" };
        let brain = if has(Type::Bf16) { "#include <cuda_bf16.h>\n" } else { "" };
        format!("{half}{brain}")
    }

    pub(super) fn cuda(&self, name: &str) -> String {
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
        Operation::Rem => call("", "fmodf", "fmod"),
        Operation::Round => call("", "roundf", "round"),
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
