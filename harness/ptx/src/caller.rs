//! The kernel that calls a function of a compiled module: each thread takes one row, as in the kernel of a variant.

use crate::builder::Body;
use crate::kernel::identifier;
use crate::row::{
    DONE, address_in_column, declare_row, generic_address_in_column, leave_beyond, number_row,
};
use crate::syntax::{
    B64, Entry, Function, Linkage, Opcode, Operand, Parameter, Scalar, Space, Statement, U8, U16, U32,
    U64, Variable,
};

/// The value that the kernel of a function gives to one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handed {
    /// The value that the thread's row of a column holds.
    Value,
    /// The address of the thread's row of a column, with rows of so many bytes.
    Row(usize),
    /// This number, in every row.
    Number(u64),
}

impl Handed {
    /// Whether the kernel has the address of a column for the parameter.
    pub fn has_column(self) -> bool {
        !matches!(self, Handed::Number(_))
    }
}

/// Returns the kernel that calls a function of one result on each row of its columns: [`caller_with`] values.
pub fn caller(function: &Function) -> Option<Entry> {
    let [_] = function.results.as_slice() else { return None };
    caller_with(function, &vec![Handed::Value; function.parameters.len()])
}

/// Returns the kernel that calls a function on each row of its columns (PTX ISA 7.1), and hands it what `handed` says
/// for each parameter.
///
/// Parameters: the addresses of the columns of results, then of those of the function's parameters that have one, and
/// the number of rows, 32 bits. A row has the bytes of its parameter. Threads beyond the last row do nothing.
///
/// `None` for a function with values that are not of 1, 2, 4 or 8 bytes and so aligned, or if `handed` does not fit.
pub fn caller_with(function: &Function, handed: &[Handed]) -> Option<Entry> {
    let with_type = |parameter| Some((parameter, moved(parameter)?));
    let results: Option<Vec<_>> = function.results.iter().map(with_type).collect();
    let given: Option<Vec<_>> = function.parameters.iter().map(with_type).collect();
    let (results, given) = (results?, given?);
    let is_address = |(_, ty): &(&Parameter, Scalar)| ty.bytes() == U64.bytes();
    let fits = |(of, handed): (&(&Parameter, Scalar), &Handed)| {
        !matches!(handed, Handed::Row(_)) || is_address(of)
    };
    if given.len() != handed.len() || !given.iter().zip(handed).all(fits) {
        return None;
    }
    // Columns of results come first, and those of the parameters that have one follow.
    let number = |at: usize| format!("column_{at}");
    let mut body = Body::default();
    declare_row(&mut body);
    body.declare(B64, ["%at"]);
    for (name, (_, ty)) in (0..).map(value).zip(results.iter().chain(&given)) {
        // Compilers hold 8 bits in registers of 16, see `row::declared`; `ld` and `st` take the wider register.
        body.declare(held(*ty), [name]);
    }
    number_row(&mut body);
    leave_beyond(&mut body, DONE);
    let mut columns = results.len();
    for (at, ((_, ty), handed)) in (results.len()..).zip(given.iter().zip(handed)) {
        match *handed {
            Handed::Value => {
                address_in_column(&mut body, number(columns), ty.bytes());
                body.ld_global(*ty, &value(at), "%at");
            }
            Handed::Row(bytes) => {
                // The address that the driver gives is a generic one, as a pointer in a parameter of C++ is.
                generic_address_in_column(&mut body, number(columns), bytes);
                body.mov(B64, value(at).as_str(), "%at");
            }
            Handed::Number(bits) => {
                let mask = u64::MAX >> (64 - 8 * ty.bytes().clamp(1, 8));
                body.mov(held(*ty), value(at).as_str(), bits & mask);
            }
        }
        columns += usize::from(handed.has_column());
    }
    body.block(call(&function.name, &results, &given));
    for (at, (_, ty)) in results.iter().enumerate() {
        address_in_column(&mut body, number(at), ty.bytes());
        body.st_global(*ty, "%at", 0, &value(at));
    }
    body.label(DONE);
    body.ret();
    let columns = (0..columns).map(|at| Parameter::new(U64, number(at)));
    Some(Entry {
        comment: None,
        name: format!("rows_of_{}", identifier(&function.name)),
        parameters: columns.chain([Parameter::new(U32, "rows")]).collect(),
        block: None,
        body: body.statements(),
    })
}

/// Returns the type of the register that holds a value of this type.
fn held(ty: Scalar) -> Scalar {
    if ty == U8 { U16 } else { ty }
}

/// Returns the register of a value: those of the results come first, and those of the parameters follow.
fn value(at: usize) -> String {
    format!("%value_{at}")
}

/// Returns the call, with its arguments and its results (PTX ISA 9.4, 9.7.14.5).
fn call(name: &str, results: &[(&Parameter, Scalar)], given: &[(&Parameter, Scalar)]) -> Body {
    let mut body = Body::default();
    let declared = |parameter: &Parameter, name: &str| {
        let of = Parameter { name: name.into(), ..parameter.clone() };
        Statement::Variable(Variable {
            linkage: Linkage::Own,
            space: Space::Param,
            of,
            values: Vec::new(),
        })
    };
    let mut names = Vec::new();
    for (at, (parameter, ty)) in (results.len()..).zip(given) {
        let name = format!("given_{at}");
        body.statement(declared(parameter, &name));
        body.st(Space::Param, *ty, &name, 0, &value(at));
        names.push(name);
    }
    let mut returned = Vec::new();
    for (at, (parameter, _)) in results.iter().enumerate() {
        let name = if results.len() == 1 { "returned".to_owned() } else { format!("returned_{at}") };
        body.statement(declared(parameter, &name));
        returned.push(name);
    }
    let label = Operand::Label(name.into());
    let operands = match returned.as_slice() {
        [] => vec![label, Operand::Arguments(names)],
        _ => vec![Operand::Arguments(returned.clone()), label, Operand::Arguments(names)],
    };
    body.op(Opcode::CallUniform, operands);
    for (at, ((_, ty), name)) in results.iter().zip(&returned).enumerate() {
        body.ld(Space::Param, *ty, &value(at), name, 0);
    }
    body
}

/// Returns the type that a parameter is moved as in one access, for which it has to be aligned; `None` if it is not.
fn moved(parameter: &Parameter) -> Option<Scalar> {
    // Without `.align`, the element's type decides: an array of bytes has to state a larger alignment to be moved
    // whole.
    let aligned = parameter.align.map_or(parameter.ty.bytes(), |align| align as usize);
    match parameter.bytes() {
        bytes if aligned < bytes => None,
        1 => Some(U8),
        bytes @ (2 | 4 | 8) => Some(Scalar::Bits(8 * bytes as u32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Header;
    use crate::syntax::Module;

    fn function(text: &str) -> Function {
        let module = format!(".version 7.0\n.target sm_80\n.address_size 64\n{text}");
        module.parse::<Module>().unwrap().functions.remove(0)
    }

    #[test]
    fn what_is_called_is_given_its_parameters_as_they_are_declared() {
        let of = function(
            ".visible .func (.param .b32 r) f(.param .align 2 .b8 p[2], .param .b64 q)\n{\nret;\n}\n",
        );
        let text = caller(&of).unwrap().to_string();
        let order = [
            ".visible .entry rows_of_f(\n.param .u64 column_0,\n.param .u64 column_1,\n.param .u64 column_2,\n",
            ".reg .b32 %value_0;\n.reg .b16 %value_1;\n.reg .b64 %value_2;\n",
            "mul.wide.u32 %offset, %row, 2;\nadd.s64 %at, %at, %offset;\nld.global.b16 %value_1, [%at];\n",
            "{\n.param .align 2 .b8 given_1[2];\nst.param.b16 [given_1], %value_1;\n",
            ".param .b64 given_2;\nst.param.b64 [given_2], %value_2;\n.param .b32 returned;\n",
            "call.uni (returned), f, (given_1, given_2);\nld.param.b32 %value_0, [returned];\n}\n",
            "st.global.b32 [%at], %value_0;\nDONE:\nret;\n}\n",
        ];
        let places: Vec<usize> = order.map(|part| text.find(part).expect(part)).into();
        assert!(places.is_sorted(), "{text}");
        let module = Module {
            header: Header { ptx: "7.0".parse().unwrap(), target: "sm_80".parse().unwrap() },
            variables: Vec::new(),
            entries: Vec::from_iter(caller(&of)),
            functions: vec![of],
        };
        let read: Module = module.to_string().parse().unwrap();
        assert_eq!(read, module);
    }

    #[test]
    fn what_gives_no_one_value_has_no_caller() {
        let none = ".visible .func f(.param .b32 p)\n{\nret;\n}\n";
        let large = ".visible .func (.param .b32 r) f(.param .align 4 .b8 p[12])\n{\nret;\n}\n";
        let halves = ".visible .func (.param .b32 r) f(.param .align 2 .b8 p[4])\n{\nret;\n}\n";
        assert_eq!([none, large, halves].map(|text| caller(&function(text))), [None, None, None]);
    }
}
