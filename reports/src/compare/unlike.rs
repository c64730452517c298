//! Which reports are not compared, and why.

/// Why two reports cannot be compared: they were not asked alike, or one of them cannot be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unlike {
    /// The plans differ.
    #[error("one has {what} {before}, the other {after}; run both with the same")]
    Plan {
        /// In what.
        what: &'static str,
        /// What the first has …
        before: String,
        /// … and the second.
        after: String,
    },
    /// As many vectors of a sweep, and others.
    #[error(
        "sweep {sweep} of {variant} has other vectors in each; run both with the same version of the suite"
    )]
    Vectors {
        /// The variant.
        variant: String,
        /// The sweep.
        sweep: String,
    },
    /// More vectors of one sweep, and fewer of another.
    #[error(
        "of {variant} one has more vectors of sweep {before}, the other of {after}; run both with the same \
         version of the suite"
    )]
    Sweeps {
        /// The variant.
        variant: String,
        /// A sweep of which the first has more …
        before: String,
        /// … and one of which the second has.
        after: String,
    },
    /// Other results were expected of the same vectors.
    #[error(
        "the suite expected other results of the same vectors of {variant}, sweep {sweep}, in each; run both \
         with the same version of it"
    )]
    Expected {
        /// The variant.
        variant: String,
        /// The sweep.
        sweep: String,
    },
    /// One is of rows, the other of programs.
    #[error(
        "one is of {before}, the other of {after}; compare rows with rows, and programs with programs"
    )]
    Sources {
        /// What the first is of …
        before: &'static str,
        /// … and the second.
        after: &'static str,
    },
    /// A report that contradicts itself.
    #[error(
        "the {which} one contradicts itself ({what}); `report validate` tells where, and it has to be made anew"
    )]
    Contradictory {
        /// Which of the two.
        which: &'static str,
        /// The first contradiction.
        what: String,
    },
}

impl Unlike {
    /// Refuses two reports of which one contradicts itself, as their contradictions tell.
    pub(crate) fn unless_consistent(contradictions: [Vec<String>; 2]) -> Result<(), Unlike> {
        for (which, found) in ["earlier", "later"].into_iter().zip(contradictions) {
            if let Some(what) = found.into_iter().next() {
                return Err(Unlike::Contradictory { which, what });
            }
        }
        Ok(())
    }

    /// Refuses plans that differ in one of some things.
    pub(crate) fn unless_equal<const N: usize>(
        things: [(&'static str, String, String); N],
    ) -> Result<(), Unlike> {
        let differing = things.into_iter().find(|(_, before, after)| before != after);
        differing.map_or(Ok(()), |(what, before, after)| Err(Unlike::Plan { what, before, after }))
    }
}
