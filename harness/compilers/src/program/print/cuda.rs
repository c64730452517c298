//! Programs as source text in CUDA C++.

use crate::program::{Node, Program, ProgramOperation, Relation, Spelled, Spelling, Type};

impl Program {
    /// Returns the lines that include the headers of the program's types.
    pub(super) fn headers(&self) -> String {
        let has = |ty| self.types().contains(&ty);
        let half = if has(Type::F16) { "#include <cuda_fp16.h>\n" } else { "" };
        let brain = if has(Type::Bf16) { "#include <cuda_bf16.h>\n" } else { "" };
        format!("{half}{brain}")
    }
}

impl Spelled<'_> {
    /// Returns the program as a function of this name in CUDA C++.
    pub(super) fn cuda(&self, name: &str) -> String {
        let (mut parameters, mut behind, mut body) = (Vec::new(), Vec::new(), String::new());
        let values = &self.program.values;
        for (place, (ty, node)) in values.iter().enumerate() {
            let own = cuda_type(*ty);
            let value = match (node, self.spelling) {
                (Node::Parameter, _) => {
                    parameters.push(format!("{own} v{place}"));
                    continue;
                }
                (Node::Constant(_), Spelling::Parameters) => {
                    behind.push(format!("{own} v{place}"));
                    continue;
                }
                (Node::Constant(_), Spelling::Memory) => {
                    behind.push(format!("const {own} *m{place}"));
                    format!("*m{place}")
                }
                (Node::Constant(bits), _) => {
                    let long = if *ty == Type::F64 { "LL" } else { "" };
                    cuda_constant(*ty, &format!("0x{bits:0width$x}{long}", width = digits(*ty)))
                }
                (Node::Apply(operation, operands), _) => {
                    let names: Vec<String> = operands.iter().map(|of| format!("v{of}")).collect();
                    let of = operands.first().map_or(*ty, |&of| values[of].0);
                    cuda_operation(*operation, [of, *ty], &names)
                }
            };
            body += &match self.spelling {
                Spelling::Opaque(hidden) if hidden == place => cuda_opaque(*ty, place, &value),
                _ => format!("  const {own} v{place} = {value};\n"),
            };
        }
        parameters.extend(behind);
        let (parameters, last) = (parameters.join(", "), values.len() - 1);
        let ty = cuda_type(self.program.result());
        format!("extern \"C\" __device__ {ty} {name}({parameters}) {{\n{body}  return v{last};\n}}\n")
    }
}

/// Returns lines that define a value by way of an instruction of which the compiler knows nothing.
fn cuda_opaque(ty: Type, place: usize, value: &str) -> String {
    let (register, bits, suffix, as_bits) = match ty {
        Type::F16 => ("h", "unsigned short", "b16", "__half_as_ushort"),
        Type::Bf16 => ("h", "unsigned short", "b16", "__bfloat16_as_ushort"),
        Type::F32 => ("r", "unsigned", "b32", "__float_as_uint"),
        Type::F64 => ("l", "long long", "b64", "__double_as_longlong"),
    };
    let back = cuda_constant(ty, &format!("b{place}"));
    format!(
        "  {bits} b{place};\n  asm volatile(\"mov.{suffix} %0, %1;\" : \"={register}\"(b{place}) : \
         \"{register}\"({as_bits}({value})));\n  const {} v{place} = {back};\n",
        cuda_type(ty)
    )
}

/// Returns the number of hexadecimal digits of a type's bits.
const fn digits(ty: Type) -> usize {
    ty.format().width() as usize / 4
}

/// Returns the name of a type.
const fn cuda_type(ty: Type) -> &'static str {
    match ty {
        Type::F16 => "__half",
        Type::Bf16 => "__nv_bfloat16",
        Type::F32 => "float",
        Type::F64 => "double",
    }
}

/// Returns an expression for the value that has these bits.
fn cuda_constant(ty: Type, bits: &str) -> String {
    match ty {
        Type::F16 => format!("__ushort_as_half((unsigned short){bits})"),
        Type::Bf16 => format!("__ushort_as_bfloat16((unsigned short){bits})"),
        Type::F32 => format!("__int_as_float({bits})"),
        Type::F64 => format!("__longlong_as_double({bits})"),
    }
}

/// Returns the operator that compares.
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

/// Returns the expression of an operation from a type to a type, on values of these names.
fn cuda_operation(operation: ProgramOperation, [from, to]: [Type; 2], v: &[String]) -> String {
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
        ProgramOperation::Add => infix("+"),
        ProgramOperation::Sub => infix("-"),
        ProgramOperation::Mul => infix("*"),
        ProgramOperation::Div => infix("/"),
        ProgramOperation::Neg => format!("-{}", v[0]),
        ProgramOperation::Fma => call("__hfma", "fmaf", "fma"),
        ProgramOperation::Sqrt => call("hsqrt", "sqrtf", "sqrt"),
        // No program that is drawn has a remainder or a rounding of half precision.
        ProgramOperation::Rem => call("", "fmodf", "fmod"),
        ProgramOperation::Round => call("", "roundf", "round"),
        ProgramOperation::Min => call("__hmin", "fminf", "fmin"),
        ProgramOperation::Max => call("__hmax", "fmaxf", "fmax"),
        ProgramOperation::Abs => call("__habs", "fabsf", "fabs"),
        ProgramOperation::CopySign => match to {
            // The headers have no function that copies the sign of half precision.
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
        ProgramOperation::Cast => cuda_cast(from, to, &v[0]),
        ProgramOperation::Integer(of) => {
            let name = match (of.width, of.signed) {
                (1, _) => "bool",
                (8, true) => "signed char",
                (8, false) => "unsigned char",
                (_, true) => "short",
                (_, false) => "unsigned short",
            };
            // The headers of half precision have functions of their own; what is asked here is the language.
            let (wide, value) = match from {
                Type::F16 | Type::Bf16 => (Type::F32, cuda_cast(from, Type::F32, &v[0])),
                _ => (from, v[0].clone()),
            };
            let back = format!("({})({name})({value})", cuda_type(wide));
            if wide == to { back } else { cuda_cast(wide, to, &back) }
        }
        ProgramOperation::Select(relation) => {
            format!("({} {} {}) ? {} : {}", v[0], cuda_relation(relation), v[1], v[2], v[3])
        }
    }
}

/// Returns the expression that converts a value from one type to another.
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
