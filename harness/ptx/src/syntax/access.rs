//! State spaces, and the loads and stores of compilers.

use std::fmt;

use super::scalar::Scalar;

/// A state space (PTX ISA 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Space {
    /// `.param` of an entry, a function or a call
    Param,
    /// `.global`
    Global,
    /// `.shared` by the threads of a block
    Shared,
    /// `.local` to a thread
    Local,
    /// `.const`
    Const,
    /// No state space is written: a generic address tells by itself where it lies.
    Generic,
}

/// Every state space that is written, with its name in PTX.
const SPACES: [(Space, &str); 5] = [
    (Space::Param, "param"),
    (Space::Global, "global"),
    (Space::Shared, "shared"),
    (Space::Local, "local"),
    (Space::Const, "const"),
];

impl Space {
    /// Reads a state space such as `global`, without the dot.
    pub fn read(text: &str) -> Option<Space> {
        SPACES.iter().find(|(_, name)| *name == text).map(|&(space, _)| space)
    }

    /// Reads a state space, which may say whose it is: `shared::cta`, the shared memory of the thread's own block.
    pub fn read_qualified(text: &str) -> Option<Space> {
        match text {
            "shared::cta" => Some(Space::Shared),
            "param::entry" | "param::func" => Some(Space::Param),
            _ => Space::read(text),
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match SPACES.iter().find(|(space, _)| space == self) {
            Some((_, name)) => write!(f, ".{name}"),
            None => Ok(()),
        }
    }
}

/// A load or a store such as `ld.global.nc.v2.f64 {d, e}, [a];` that the suite's own kernels do not use: of another
/// type, of several elements at once, or with words on how memory is accessed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Whether the instruction writes to memory.
    pub stores: bool,
    /// State space of the memory.
    pub space: Space,
    /// Number of elements that are moved.
    pub lanes: usize,
    /// Type of each element.
    pub ty: Scalar,
    /// Text between `ld` or `st` and the type, such as `.global.nc.v2`
    words: Box<str>,
}

/// Modifiers of how memory is accessed, which do not change what a single thread reads there.
const HOW: &[&str] =
    &["volatile", "weak", "nc", "ca", "cg", "cs", "cv", "lu", "wb", "wt", "L1::no_allocate"];

impl Access {
    /// Reads a mnemonic with its modifiers and type; `None` if it is neither a load nor a store, or does more than
    /// that.
    pub fn read(text: &str) -> Option<Access> {
        let (front, ty) = text.rsplit_once('.')?;
        let ty = Scalar::read_any(ty).filter(|&ty| ty != Scalar::Predicate)?;
        let (mnemonic, words) = front.split_at_checked(2)?;
        let stores = match mnemonic {
            "ld" => false,
            "st" => true,
            _ => return None,
        };
        let (mut space, mut lanes) = (Space::Generic, 1);
        // The words begin with a dot, so the first part is empty.
        let mut rest = words.split('.');
        if rest.next() != Some("") {
            return None;
        }
        for word in rest {
            match word {
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                _ if HOW.contains(&word) => {}
                _ => space = Space::read_qualified(word)?,
            }
        }
        Some(Access { stores, space, lanes, ty, words: words.into() })
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", if self.stores { "st" } else { "ld" }, self.words, self.ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_is_read_from_what_it_prints() {
        for (text, stores, space, lanes, width) in [
            ("ld.global.nc.v2.f64", false, Space::Global, 2, 64),
            ("st.v4.b8", true, Space::Generic, 4, 8),
            ("ld.u16", false, Space::Generic, 1, 16),
            ("ld.volatile.const.s8", false, Space::Const, 1, 8),
            ("st.param.f32", true, Space::Param, 1, 32),
            ("ld.shared::cta.u32", false, Space::Shared, 1, 32),
        ] {
            let access = Access::read(text).expect(text);
            assert_eq!(access.to_string(), text);
            let Access { stores: is, space: at, lanes: count, ty, .. } = access;
            assert_eq!((is, at, count, ty.width()), (stores, space, lanes, width), "{text}");
        }
        for text in ["ld", "ldu.f32", "ld.acquire.gpu.b32", "ld.pred", "st.global.v3.f32", "ldx.b32"] {
            assert_eq!(Access::read(text), None, "{text}");
        }
    }
}
