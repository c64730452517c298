//! Which format it is.

use super::*;

/// The identity of a format: `match` on it where formats are treated each in its own way, so that a new
/// one cannot be forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FormatId {
    /// [`F16`]
    F16,
    /// [`BF16`]
    Bf16,
    /// [`TF32`]
    Tf32,
    /// [`F32`]
    F32,
    /// [`F64`]
    F64,
    /// [`E5M2`]
    E5m2,
    /// [`E4M3`]
    E4m3,
    /// [`E2M3`]
    E2m3,
    /// [`E3M2`]
    E3m2,
    /// [`E2M1`]
    E2m1,
    /// [`UE8M0`]
    Ue8m0,
    /// [`UE5M3`]
    Ue5m3,
    /// [`UE4M3`]
    Ue4m3,
    /// [`S2F6`]
    S2f6,
    /// [`E4M3FNUZ`]
    E4m3fnuz,
    /// [`E5M2FNUZ`]
    E5m2fnuz,
    /// [`PRED`]
    Pred,
    /// [`U8`]
    U8,
    /// [`U16`]
    U16,
    /// [`U32`]
    U32,
    /// [`U64`]
    U64,
    /// [`S8`]
    S8,
    /// [`S16`]
    S16,
    /// [`S32`]
    S32,
    /// [`S64`]
    S64,
}

impl FormatId {
    /// Every format.
    pub const ALL: [FormatId; 25] = [
        FormatId::F16,
        FormatId::Bf16,
        FormatId::Tf32,
        FormatId::F32,
        FormatId::F64,
        FormatId::E5m2,
        FormatId::E4m3,
        FormatId::E2m3,
        FormatId::E3m2,
        FormatId::E2m1,
        FormatId::Ue8m0,
        FormatId::Ue5m3,
        FormatId::Ue4m3,
        FormatId::S2f6,
        FormatId::E4m3fnuz,
        FormatId::E5m2fnuz,
        FormatId::Pred,
        FormatId::U8,
        FormatId::U16,
        FormatId::U32,
        FormatId::U64,
        FormatId::S8,
        FormatId::S16,
        FormatId::S32,
        FormatId::S64,
    ];

    /// The name PTX gives it, without the leading dot.
    pub const fn name(self) -> &'static str {
        match self {
            FormatId::F16 => "f16",
            FormatId::Bf16 => "bf16",
            FormatId::Tf32 => "tf32",
            FormatId::F32 => "f32",
            FormatId::F64 => "f64",
            FormatId::E5m2 => "e5m2",
            FormatId::E4m3 => "e4m3",
            FormatId::E2m3 => "e2m3",
            FormatId::E3m2 => "e3m2",
            FormatId::E2m1 => "e2m1",
            FormatId::Ue8m0 => "ue8m0",
            FormatId::Ue5m3 => "ue5m3",
            FormatId::Ue4m3 => "ue4m3",
            FormatId::S2f6 => "s2f6",
            FormatId::E4m3fnuz => "e4m3fnuz",
            FormatId::E5m2fnuz => "e5m2fnuz",
            FormatId::Pred => "pred",
            FormatId::U8 => "u8",
            FormatId::U16 => "u16",
            FormatId::U32 => "u32",
            FormatId::U64 => "u64",
            FormatId::S8 => "s8",
            FormatId::S16 => "s16",
            FormatId::S32 => "s32",
            FormatId::S64 => "s64",
        }
    }

    /// The format.
    pub const fn format(self) -> &'static Format {
        match self {
            FormatId::F16 => &F16,
            FormatId::Bf16 => &BF16,
            FormatId::Tf32 => &TF32,
            FormatId::F32 => &F32,
            FormatId::F64 => &F64,
            FormatId::E5m2 => &E5M2,
            FormatId::E4m3 => &E4M3,
            FormatId::E2m3 => &E2M3,
            FormatId::E3m2 => &E3M2,
            FormatId::E2m1 => &E2M1,
            FormatId::Ue8m0 => &UE8M0,
            FormatId::Ue5m3 => &UE5M3,
            FormatId::Ue4m3 => &UE4M3,
            FormatId::S2f6 => &S2F6,
            FormatId::E4m3fnuz => &E4M3FNUZ,
            FormatId::E5m2fnuz => &E5M2FNUZ,
            FormatId::Pred => &PRED,
            FormatId::U8 => &U8,
            FormatId::U16 => &U16,
            FormatId::U32 => &U32,
            FormatId::U64 => &U64,
            FormatId::S8 => &S8,
            FormatId::S16 => &S16,
            FormatId::S32 => &S32,
            FormatId::S64 => &S64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_an_identity_of_its_own() {
        for id in FormatId::ALL {
            assert_eq!((id.format().id, id.format().name), (id, id.name()));
        }
        let mut listed: Vec<FormatId> =
            FLOATS.into_iter().chain(FIXED).map(|format| format.id).collect();
        listed.sort();
        assert!(listed.is_sorted_by(|a, b| a < b) && listed.len() == FormatId::ALL.len());
    }
}
