//! Makes the loop around an instruction of x86-64, in assembly, that computes a batch of rows with it.

/// Makes the [`HostBatch`](crate::host::batch::HostBatch) of an instruction:
/// `batch!(f32, f32 => f32: "addss xmm0, xmm1")`.
///
/// In front of the colon stand the types of the operands and of the results. Floating-point operands
/// are loaded into `xmm0`, `xmm1` and `xmm2`, with zeros above them. An integer operand is extended
/// into `eax` or `rax`, whichever place it has, so there may be one of them; `f16` is loaded through
/// `eax`, so none may follow it.
///
/// A floating-point result is stored from `xmm0`, as are `b16` and `b32`, which are so many bits of
/// whatever is there; an integer is stored from `eax` or `rax`. A predicate is stored from `al`, and its
/// complement, if `pred` stands there twice, from `dl`.
///
/// Behind the colon stand the instruction and others that only bring bits to where it wants them. They
/// may change `rax`, `rdx`, `xmm0` to `xmm2`, `k1`, `k2` and the flags, and no other register: `rsi`,
/// `rdi` and `r8` hold where the operands begin, `r9` and `r10` where the results do, `rcx` counts the
/// rows and `r11` holds how many there are.
#[rustfmt::skip] // one type, one line
macro_rules! batch {
    ($a:ident => $d:ident: $($text:expr),+) => {
        batch!(@loop [$a] [$d] [batch!(@load $a "xmm0" "rsi")] [$($text),+] [batch!(@store $d)])
    };
    ($a:ident, $b:ident => pred, pred: $($text:expr),+) => {
        batch!(@loop [$a $b] [pred pred]
            [batch!(@load $a "xmm0" "rsi"), batch!(@load $b "xmm1" "rdi")] [$($text),+]
            ["mov byte ptr [r9 + rcx], al", "mov byte ptr [r10 + rcx], dl"])
    };
    ($a:ident, $b:ident => $d:ident: $($text:expr),+) => {
        batch!(@loop [$a $b] [$d]
            [batch!(@load $a "xmm0" "rsi"), batch!(@load $b "xmm1" "rdi")] [$($text),+] [batch!(@store $d)])
    };
    ($a:ident, $b:ident, $c:ident => $d:ident: $($text:expr),+) => {
        batch!(@loop [$a $b $c] [$d]
            [batch!(@load $a "xmm0" "rsi"), batch!(@load $b "xmm1" "rdi"), batch!(@load $c "xmm2" "r8")]
            [$($text),+] [batch!(@store $d)])
    };

    (@load f16   $xmm:literal $from:literal) => { concat!("movzx eax, word ptr [", $from, " + 2*rcx]\nmovd ", $xmm, ", eax") };
    (@load f16x2 $xmm:literal $from:literal) => { concat!("movd ", $xmm, ", dword ptr [", $from, " + 4*rcx]") };
    (@load f32   $xmm:literal $from:literal) => { concat!("movss ", $xmm, ", dword ptr [", $from, " + 4*rcx]") };
    (@load f32x2 $xmm:literal $from:literal) => { concat!("movq ", $xmm, ", qword ptr [", $from, " + 8*rcx]") };
    (@load f64   $xmm:literal $from:literal) => { concat!("movsd ", $xmm, ", qword ptr [", $from, " + 8*rcx]") };
    (@load s8    $xmm:literal $from:literal) => { concat!("movsx eax, byte ptr [", $from, " + rcx]") };
    (@load s16   $xmm:literal $from:literal) => { concat!("movsx eax, word ptr [", $from, " + 2*rcx]") };
    (@load s32   $xmm:literal $from:literal) => { concat!("mov eax, dword ptr [", $from, " + 4*rcx]") };
    (@load s64   $xmm:literal $from:literal) => { concat!("mov rax, qword ptr [", $from, " + 8*rcx]") };
    (@load u8    $xmm:literal $from:literal) => { concat!("movzx eax, byte ptr [", $from, " + rcx]") };
    (@load u16   $xmm:literal $from:literal) => { concat!("movzx eax, word ptr [", $from, " + 2*rcx]") };
    (@load u32   $xmm:literal $from:literal) => { concat!("mov eax, dword ptr [", $from, " + 4*rcx]") };
    (@load u64   $xmm:literal $from:literal) => { concat!("mov rax, qword ptr [", $from, " + 8*rcx]") };

    (@store b16)   => { "movd eax, xmm0\nmov word ptr [r9 + 2*rcx], ax" };
    (@store b32)   => { "movd dword ptr [r9 + 4*rcx], xmm0" };
    (@store f16)   => { "movd eax, xmm0\nmov word ptr [r9 + 2*rcx], ax" };
    (@store f16x2) => { "movd dword ptr [r9 + 4*rcx], xmm0" };
    (@store f32)   => { "movss dword ptr [r9 + 4*rcx], xmm0" };
    (@store f32x2) => { "movq qword ptr [r9 + 8*rcx], xmm0" };
    (@store f64)   => { "movsd qword ptr [r9 + 8*rcx], xmm0" };
    (@store pred)  => { "mov byte ptr [r9 + rcx], al" };
    (@store s32)   => { "mov dword ptr [r9 + 4*rcx], eax" };
    (@store s64)   => { "mov qword ptr [r9 + 8*rcx], rax" };
    (@store u32)   => { "mov dword ptr [r9 + 4*rcx], eax" };
    (@store u64)   => { "mov qword ptr [r9 + 8*rcx], rax" };

    (@bytes pred)  => { 1 };
    (@bytes s8)    => { 1 };
    (@bytes u8)    => { 1 };
    (@bytes b16)   => { 2 };
    (@bytes f16)   => { 2 };
    (@bytes s16)   => { 2 };
    (@bytes u16)   => { 2 };
    (@bytes b32)   => { 4 };
    (@bytes f16x2) => { 4 };
    (@bytes f32)   => { 4 };
    (@bytes s32)   => { 4 };
    (@bytes u32)   => { 4 };
    (@bytes f32x2) => { 8 };
    (@bytes f64)   => { 8 };
    (@bytes s64)   => { 8 };
    (@bytes u64)   => { 8 };

    (@loop [$($operand:ident)+] [$($result:ident)+] [$($load:expr),+] [$($text:expr),+] [$($store:expr),+]) => {{
        /// Computes all rows with the instruction under the value `mxcsr` of the control register.
        ///
        /// # Safety
        /// As `host::batch::Loop` says. There must be a row: the loop looks at the number of rows only behind
        /// the first, and would run beyond the columns. Its only caller, `HostBatch::run`, returns early
        /// where there is none.
        unsafe fn rows(mxcsr: u64, [a, b, c]: [*const u8; 3], [d, e]: [*mut u8; 2], rows: usize) {
            // The value of MXCSR that is wanted, and room for the value that it has: both instructions for it
            // take memory.
            let mut words = [mxcsr as u32, 0];
            // SAFETY: loads and stores stay within the rows that the caller promises, the processor
            // has the instruction as it promises, too, and MXCSR ends as it began.
            unsafe {
                std::arch::asm!(
                    "stmxcsr dword ptr [{words} + 4]",
                    "ldmxcsr dword ptr [{words}]",
                    // Numbers may be labels more than once, and names may not: the compiler may copy this block
                    // into several places. 0 and 1 would be read as binary digits in `1b`.
                    "2:",
                    $($load,)+
                    $($text,)+
                    $($store,)+
                    "inc rcx",
                    "cmp rcx, r11",
                    "jne 2b",
                    "ldmxcsr dword ptr [{words} + 4]",
                    words = in(reg) words.as_mut_ptr(),
                    in("rsi") a, in("rdi") b, in("r8") c, in("r9") d, in("r10") e, in("r11") rows,
                    inout("rcx") 0usize => _, out("rax") _, out("rdx") _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("k1") _, out("k2") _,
                    options(nostack),
                );
            }
        }
        $crate::host::batch::HostBatch {
            operands: &[$(batch!(@bytes $operand)),+],
            results: &[$(batch!(@bytes $result)),+],
            rows,
        }
    }};
}
pub(super) use batch;
