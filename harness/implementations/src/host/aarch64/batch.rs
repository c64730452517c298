//! The loop around an instruction of aarch64, in assembly.

/// Makes the [`HostBatch`](crate::host::batch::HostBatch) of an instruction:
/// `batch!(f32, f32 => f32: "fadd s0, s0, s1")`.
///
/// In front of the colon stand the types of the operands and of the results. Floating-point operands
/// are loaded into registers 0, 1 and 2, with zeros above them; an integer operand is extended into `w8`
/// or `x8`. A floating-point result is stored from register 0, an integer from `w8` or `x8`. The
/// instruction may have others beside it that only bring bits to where it wants them.
///
/// `x1`, `x2` and `x3` hold where the operands are read, `x4` where the result is written; `x5` counts
/// the rows.
#[rustfmt::skip] // one type, one line
macro_rules! batch {
    ($a:ident => $d:ident: $($text:expr),+) => {
        batch!(@loop [$a] [$d] [batch!(@load $a "0" "x1")] [$($text),+])
    };
    ($a:ident, $b:ident => $d:ident: $($text:expr),+) => {
        batch!(@loop [$a $b] [$d] [batch!(@load $a "0" "x1"), batch!(@load $b "1" "x2")] [$($text),+])
    };
    ($a:ident, $b:ident, $c:ident => $d:ident: $($text:expr),+) => {
        batch!(@loop [$a $b $c] [$d]
            [batch!(@load $a "0" "x1"), batch!(@load $b "1" "x2"), batch!(@load $c "2" "x3")] [$($text),+])
    };

    (@load f16   $number:literal $from:literal) => { concat!("ldr h", $number, ", [", $from, "], #2") };
    (@load f16x2 $number:literal $from:literal) => { concat!("ldr s", $number, ", [", $from, "], #4") };
    (@load f32   $number:literal $from:literal) => { concat!("ldr s", $number, ", [", $from, "], #4") };
    (@load f32x2 $number:literal $from:literal) => { concat!("ldr d", $number, ", [", $from, "], #8") };
    (@load f64   $number:literal $from:literal) => { concat!("ldr d", $number, ", [", $from, "], #8") };
    (@load s8    $number:literal $from:literal) => { concat!("ldrsb w8, [", $from, "], #1") };
    (@load s16   $number:literal $from:literal) => { concat!("ldrsh w8, [", $from, "], #2") };
    (@load s32   $number:literal $from:literal) => { concat!("ldr w8, [", $from, "], #4") };
    (@load s64   $number:literal $from:literal) => { concat!("ldr x8, [", $from, "], #8") };
    (@load u8    $number:literal $from:literal) => { concat!("ldrb w8, [", $from, "], #1") };
    (@load u16   $number:literal $from:literal) => { concat!("ldrh w8, [", $from, "], #2") };
    (@load u32   $number:literal $from:literal) => { concat!("ldr w8, [", $from, "], #4") };
    (@load u64   $number:literal $from:literal) => { concat!("ldr x8, [", $from, "], #8") };

    (@store bf16)  => { "str h0, [x4], #2" };
    (@store f16)   => { "str h0, [x4], #2" };
    (@store f16x2) => { "str s0, [x4], #4" };
    (@store f32)   => { "str s0, [x4], #4" };
    (@store f32x2) => { "str d0, [x4], #8" };
    (@store f64)   => { "str d0, [x4], #8" };
    (@store s32)   => { "str w8, [x4], #4" };
    (@store s64)   => { "str x8, [x4], #8" };
    (@store u32)   => { "str w8, [x4], #4" };
    (@store u64)   => { "str x8, [x4], #8" };

    (@bytes s8)    => { 1 };
    (@bytes u8)    => { 1 };
    (@bytes bf16)  => { 2 };
    (@bytes f16)   => { 2 };
    (@bytes s16)   => { 2 };
    (@bytes u16)   => { 2 };
    (@bytes f16x2) => { 4 };
    (@bytes f32)   => { 4 };
    (@bytes s32)   => { 4 };
    (@bytes u32)   => { 4 };
    (@bytes f32x2) => { 8 };
    (@bytes f64)   => { 8 };
    (@bytes s64)   => { 8 };
    (@bytes u64)   => { 8 };

    (@loop [$($operand:ident)+] [$result:ident] [$($load:expr),+] [$($text:expr),+]) => {{
        unsafe fn rows(control: u64, [a, b, c]: [*const u8; 3], [d, _]: [*mut u8; 2], rows: usize) {
            // SAFETY: loads and stores stay within the rows that the caller promises, the processor
            // has the instruction as it promises, too, and FPCR ends as it began.
            unsafe {
                std::arch::asm!(
                    // The assembler asks for these; whether the processor has them the table knows.
                    ".arch_extension fp16",
                    ".arch_extension bf16",
                    "mrs x6, fpcr",
                    "msr fpcr, x7",
                    "2:",
                    $($load,)+
                    $($text,)+
                    batch!(@store $result),
                    "subs x5, x5, #1",
                    "b.ne 2b",
                    "msr fpcr, x6",
                    inout("x1") a => _, inout("x2") b => _, inout("x3") c => _, inout("x4") d => _,
                    inout("x5") rows => _, out("x6") _, in("x7") control, out("x8") _,
                    out("v0") _, out("v1") _, out("v2") _,
                    options(nostack),
                );
            }
        }
        $crate::host::batch::HostBatch {
            operands: &[$(batch!(@bytes $operand)),+],
            results: &[batch!(@bytes $result)],
            rows,
        }
    }};
}
pub(super) use batch;
