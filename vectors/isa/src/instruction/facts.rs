//! Facts that follow from a variant's meaning and formats, and that more than one crate asks for.

use formats::F32;

use super::contract::Contract;
use super::meaning::Conversion;
use super::modifier::Modifier;
use super::operation::{Family, Op, Operation};
use super::site::Site;
use super::variant::Variant;

impl Variant {
    /// Returns the name of the instruction, up to the first dot.
    pub fn mnemonic(&self) -> &'static str {
        self.form().operation.mnemonic()
    }

    /// Whether the variant's results are promised bit for bit, and not within a bound.
    pub fn is_exact(&self) -> bool {
        matches!(self.form().contract, Contract::Exact)
    }

    /// Whether the variant rounds one exact sum, product, quotient or root.
    pub fn is_arithmetic(&self) -> bool {
        let family = self.meaning().op.family();
        self.is_exact() && matches!(family, Family::SumsAndProducts | Family::QuotientsAndRoots)
    }

    /// Whether the variant approximates a function of one f32, in one lane: the oracle encloses such functions by
    /// series.
    pub fn approximates_one_f32(&self) -> bool {
        let functions = [Op::Rcp, Op::Sqrt, Op::Rsqrt, Op::Sin, Op::Cos, Op::Lg2, Op::Ex2, Op::Tanh];
        !self.is_exact()
            && functions.contains(&self.meaning().op)
            && self.lanes() == 1
            && [self.inputs(), self.outputs()]
                .iter()
                .all(|data| data.len() == 1 && *data[0].format == F32)
    }

    /// Whether the variant is a conversion.
    pub fn converts(&self) -> bool {
        matches!(self.meaning().op, Op::Convert(_))
    }

    /// Whether the variant's first operand and first result are a word in memory.
    pub fn is_in_memory(&self) -> bool {
        self.site().changes_a_word()
    }

    /// Whether the variant's address is one at which several devices have memory, or a handle of memory elsewhere. A
    /// kernel of such a variant needs more than one device, and code that makes such addresses.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self.form().operation, Operation::Multimem | Operation::Fabric)
    }

    /// Whether the type of the variant's elements is no part of its spelling, but stands in a map of a tensor.
    pub fn is_of_tensor_map(&self) -> bool {
        self.has(Modifier::ReduceTensor) || self.has(Modifier::TryRedTensor)
    }

    /// Whether the variant's operands are columns of tensor memory, which no kernel of the suite has.
    pub fn is_of_tensor_memory(&self) -> bool {
        self.site() == Site::TensorMemory
    }

    /// Whether the variant works on words in memory: its first operand, which it changes, or all of its operands.
    pub fn is_of_memory(&self) -> bool {
        self.site().changes_a_word() || self.site().is_one_address()
    }

    /// Whether a warp executes the variant together. Its threads have the operands in one register, and the result is
    /// in all threads, or is one word in memory.
    pub fn is_of_warp(&self) -> bool {
        self.site().is_of_warp()
    }

    /// Whether each thread executes the variant by itself, on its registers alone.
    pub fn is_of_registers(&self) -> bool {
        self.site() == Site::Registers
    }

    /// Returns the single operation that the variant does twice, the second time with the result of the first; `None`
    /// where it does not. Two threads take turns at one word in memory, or the words of three devices are added.
    pub fn in_turn(&self) -> Option<&'static Variant> {
        // The name of what is done once is the spelling, without the operands in parentheses.
        matches!(self.site(), Site::Turns | Site::Copies { devices: 3 }).then(|| {
            Variant::named(self.spelling()).expect("what is done once has no operands in its name")
        })
    }

    /// Whether two threads change one word in memory, each with an operand of its own.
    pub fn is_of_two_threads(&self) -> bool {
        self.site() == Site::Turns
    }

    /// Whether the variant adds the words that one address stands for in the memory of three devices.
    pub fn is_of_three_devices(&self) -> bool {
        self.site() == Site::Copies { devices: 3 }
    }

    /// Whether the variant is a comparison.
    pub fn compares(&self) -> bool {
        matches!(self.meaning().op, Op::Compare(_))
    }

    /// Whether the variant is a conversion from integers.
    pub fn is_from_integer(&self) -> bool {
        self.converts() && self.inputs()[0].format.is_integer()
    }

    /// Whether the variant is a conversion to integers.
    pub fn is_to_integer(&self) -> bool {
        self.converts() && self.outputs()[0].format.is_integer()
    }

    /// Whether the variant rounds to an integral number, in an integer format or a floating-point one.
    pub fn is_integral(&self) -> bool {
        let integers = self.is_to_integer() && !self.is_from_integer();
        integers || self.meaning().op == Op::Convert(Conversion::Integral)
    }

    /// Whether a result that the variant computes, and does not only choose, is flushed where it is subnormal.
    pub fn flushes_result(&self) -> bool {
        self.meaning().flush.result && (self.is_arithmetic() || self.converts())
    }
}
