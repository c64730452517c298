//! The reasons why two reports are not compared.

/// The reason why two reports cannot be compared: they were not asked alike, or one of them cannot be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unlike {
    /// The reports' plans differ.
    #[error("one has {what} {before} and the other {after}; run both with the same {what}")]
    Plan {
        /// The part of the plan that differs.
        what: &'static str,
        /// The value that the first report has.
        before: String,
        /// The value that the second report has.
        after: String,
    },
    /// A sweep has the same number of vectors in both reports, but other vectors.
    #[error(
        "sweep {sweep} of {variant} has different vectors in the two; run both with the same version \
         of the suite"
    )]
    Vectors {
        /// The variant's text.
        variant: String,
        /// The sweep's name.
        sweep: String,
    },
    /// The second report has more vectors of one sweep, and fewer of another.
    #[error(
        "for {variant} one has more vectors of sweep {before}, and the other more of sweep {after}; \
         run both with the same version of the suite"
    )]
    Sweeps {
        /// The variant's text.
        variant: String,
        /// A sweep of which the first report has more vectors.
        before: String,
        /// A sweep of which the second report has more vectors.
        after: String,
    },
    /// The suite expected other results of the same vectors in each report.
    #[error(
        "the suite expected different results for the same vectors of {variant}, sweep {sweep}; run \
         both with the same version of the suite"
    )]
    Expected {
        /// The variant's text.
        variant: String,
        /// The sweep's name.
        sweep: String,
    },
    /// The reports are of different sources: one of rows, the other of random programs.
    #[error(
        "one is about {before} and the other about {after}; compare rows with rows, and programs with \
         programs"
    )]
    Sources {
        /// The kind of sources that the first report is of.
        before: &'static str,
        /// The kind of sources that the second report is of.
        after: &'static str,
    },
    /// The earlier or the later report contradicts itself.
    #[error(
        "the {which} one contradicts itself ({what}): `report validate` shows where; make that report \
         again"
    )]
    Contradictory {
        /// The report that contradicts itself: `earlier` or `later`.
        which: &'static str,
        /// The first contradiction that was found in the report.
        what: String,
    },
}

impl Unlike {
    /// Refuses two reports of which one contradicts itself, given the contradictions of each.
    pub(crate) fn unless_consistent(contradictions: [Vec<String>; 2]) -> Result<(), Unlike> {
        for (which, found) in ["earlier", "later"].into_iter().zip(contradictions) {
            if let Some(what) = found.into_iter().next() {
                return Err(Unlike::Contradictory { which, what });
            }
        }
        Ok(())
    }

    /// Refuses two reports that differ in one of some things, each given with its name and its values in the two
    /// reports.
    pub(crate) fn unless_equal<const N: usize>(
        things: [(&'static str, String, String); N],
    ) -> Result<(), Unlike> {
        let differing = things.into_iter().find(|(_, before, after)| before != after);
        differing.map_or(Ok(()), |(what, before, after)| Err(Unlike::Plan { what, before, after }))
    }
}
