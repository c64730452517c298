//! The source languages of compilers.

/// A language that sources for compilers are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// CUDA C++, by its operators and the functions that go with them.
    Cuda,
    /// NVIDIA's dialect of LLVM's language, in which options say what may be flushed and contracted.
    Nvvm,
    /// LLVM's own language, in which the source says what may be flushed and contracted.
    Llvm,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 3] = [Language::Cuda, Language::Nvvm, Language::Llvm];

    /// Whether selections have flags in the language: in the dialect of an older compiler they have none.
    pub const fn has_flagged_selections(self) -> bool {
        matches!(self, Language::Llvm)
    }

    /// Returns the name of the language in the protocol of compilers and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Language::Cuda => "cuda",
            Language::Nvvm => "nvvm-ir",
            Language::Llvm => "llvm-ir",
        }
    }
}
