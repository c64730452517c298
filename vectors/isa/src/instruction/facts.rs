//! What follows from a variant's meaning and formats, where more than one crate asks for it.

use formats::F32;

use super::contract::Contract;
use super::meaning::Conversion;
use super::modifier::Modifier;
use super::operation::{Family, Op, Operation};
use super::site::Site;
use super::variant::Variant;

impl Variant {
    /// The name of its instruction, up to the first dot.
    pub fn mnemonic(&self) -> &'static str {
        self.form().operation.mnemonic()
    }

    /// Whether its results are promised bit for bit, and not within a bound.
    pub fn is_exact(&self) -> bool {
        matches!(self.form().contract, Contract::Exact)
    }

    /// Whether it rounds one exact sum, product, quotient or root.
    pub fn is_arithmetic(&self) -> bool {
        let family = self.meaning().op.family();
        self.is_exact() && matches!(family, Family::SumsAndProducts | Family::QuotientsAndRoots)
    }

    /// Whether it approximates a function of one f32, in one lane: what the oracle encloses by series.
    pub fn approximates_one_f32(&self) -> bool {
        let functions = [Op::Rcp, Op::Sqrt, Op::Rsqrt, Op::Sin, Op::Cos, Op::Lg2, Op::Ex2, Op::Tanh];
        !self.is_exact()
            && functions.contains(&self.meaning().op)
            && self.lanes() == 1
            && [self.inputs(), self.outputs()]
                .iter()
                .all(|data| data.len() == 1 && *data[0].format == F32)
    }

    /// Whether it converts.
    pub fn converts(&self) -> bool {
        matches!(self.meaning().op, Op::Convert(_))
    }

    /// Whether its first operand and first result are a word in memory.
    pub fn is_in_memory(&self) -> bool {
        self.site().changes_a_word()
    }

    /// Whether its address is one that several devices have memory at, or a handle of memory elsewhere, so that a
    /// kernel of it needs more than one device, and who makes such addresses.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self.form().operation, Operation::Multimem | Operation::Fabric)
    }

    /// Whether the type of its elements is no part of its spelling, but stands in a map of a tensor.
    pub fn is_of_tensor_map(&self) -> bool {
        self.has(Modifier::ReduceTensor) || self.has(Modifier::TryRedTensor)
    }

    /// Whether its operands are columns of tensor memory, which no kernel of the suite has.
    pub fn is_of_tensor_memory(&self) -> bool {
        self.site() == Site::TensorMemory
    }

    /// Whether it works on words in memory, be that the first operand, which it changes, or all of them.
    pub fn is_of_memory(&self) -> bool {
        self.site().changes_a_word() || self.site().is_one_address()
    }

    /// Whether a warp executes it, whose threads have its operands in one register, and all its result or one word in
    /// memory.
    pub fn is_of_warp(&self) -> bool {
        self.site().is_of_warp()
    }

    /// Whether each thread executes it by itself, on its registers alone.
    pub fn is_of_registers(&self) -> bool {
        self.site() == Site::Registers
    }

    /// The single operation that a form does twice, the second time with what came of the first: two threads take turns
    /// at one word in memory, or the words of three devices are added.
    pub fn in_turn(&self) -> Option<&'static Variant> {
        matches!(self.site(), Site::Turns | Site::Copies { devices: 3 }).then(|| {
            Variant::named(self.spelling()).expect("what is done once has no operands in its name")
        })
    }

    /// Whether two threads change one word in memory, each with an operand of its own.
    pub fn is_of_two_threads(&self) -> bool {
        self.site() == Site::Turns
    }

    /// Whether it adds the words that one address stands for in the memory of three devices.
    pub fn is_of_three_devices(&self) -> bool {
        self.site() == Site::Copies { devices: 3 }
    }

    /// Whether it compares.
    pub fn compares(&self) -> bool {
        matches!(self.meaning().op, Op::Compare(_))
    }

    /// Whether it converts from integers.
    pub fn is_from_integer(&self) -> bool {
        self.converts() && self.inputs()[0].format.is_integer()
    }

    /// Whether it converts to integers.
    pub fn is_to_integer(&self) -> bool {
        self.converts() && self.outputs()[0].format.is_integer()
    }

    /// Whether it rounds to an integral number, be that an integer or not.
    pub fn is_integral(&self) -> bool {
        let integers = self.is_to_integer() && !self.is_from_integer();
        integers || self.meaning().op == Op::Convert(Conversion::Integral)
    }

    /// Whether a result that it computes, and does not only choose, is flushed where it is subnormal.
    pub fn flushes_result(&self) -> bool {
        self.meaning().flush.result && (self.is_arithmetic() || self.converts())
    }
}
