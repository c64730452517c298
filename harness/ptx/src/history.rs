//! The versions of PTX that there are, and which of them to ask an assembler or driver about.

use isa::PtxVersion;

/// The versions of PTX, from the one before the table's oldest to the newest of ptxas 13.5.
const VERSIONS: &[&str] = &[
    "1.5", "2.0", "2.1", "2.2", "2.3", "3.0", "3.1", "3.2", "4.0", "4.1", "4.2", "4.3", "5.0", "5.1",
    "6.0", "6.1", "6.2", "6.3", "6.4", "6.5", "7.0", "7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7",
    "7.8", "8.0", "8.1", "8.2", "8.3", "8.4", "8.5", "8.6", "8.7", "8.8", "9.0", "9.1", "9.2", "9.3",
    "9.4", "9.5",
];

/// The versions of PTX up to the newest that is asked about.
pub struct VersionHistory(Vec<PtxVersion>);

impl VersionHistory {
    /// Returns every version of PTX.
    pub fn every_version() -> VersionHistory {
        VersionHistory(VERSIONS.iter().map(|version| version.parse().expect("a version")).collect())
    }

    /// Returns the versions up to the newest for which `knows` returns true; `None` if it never does.
    pub fn until<E>(
        mut knows: impl FnMut(PtxVersion) -> Result<bool, E>,
    ) -> Result<Option<VersionHistory>, E> {
        let mut calendar = VersionHistory::every_version();
        while let Some(&newest) = calendar.0.last() {
            if knows(newest)? {
                return Ok(Some(calendar));
            }
            calendar.0.pop();
        }
        Ok(None)
    }

    /// Returns every version, the oldest first.
    pub fn versions(&self) -> impl Iterator<Item = PtxVersion> + '_ {
        self.0.iter().copied()
    }

    /// Returns the newest version.
    pub fn newest(&self) -> PtxVersion {
        *self.0.last().expect("a calendar has versions")
    }

    /// Whether the versions go as far as those the suite knows of.
    pub fn is_full(&self) -> bool {
        self.0.len() == VERSIONS.len()
    }

    /// Returns the version just before another, if there is one.
    pub fn version_before(&self, version: PtxVersion) -> Option<PtxVersion> {
        self.0.iter().copied().take_while(|&one| one < version).last()
    }

    /// Returns the versions that matter for something on a target that exists since `start`: the newest; the first
    /// that `has` it; and the one just before that, if the target exists then. No later version takes anything away
    /// again, so the results for all others follow.
    pub fn versions_that_matter(
        &self,
        start: PtxVersion,
        has: impl Fn(PtxVersion) -> bool,
    ) -> impl Iterator<Item = PtxVersion> {
        let first = self.0.iter().copied().find(|&version| version >= start && has(version));
        let before =
            first.and_then(|first| self.version_before(first)).filter(|&version| version >= start);
        let newest = self.newest();
        before.into_iter().chain(first.filter(|&first| first != newest)).chain([newest])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_around_the_first_and_the_newest_are_asked() {
        let calendar = VersionHistory::every_version();
        let around = |start: &str, since: Option<&str>| -> Vec<String> {
            let since: Option<PtxVersion> = since.map(|since| since.parse().unwrap());
            let has = |version| since.is_some_and(|since| version >= since);
            calendar
                .versions_that_matter(start.parse().unwrap(), has)
                .map(|version| version.to_string())
                .collect()
        };
        assert_eq!(around("2.0", Some("7.0")), ["6.5", "7.0", "9.5"]);
        assert_eq!(around("7.0", Some("7.0")), ["7.0", "9.5"]);
        assert_eq!(around("9.0", Some("7.0")), ["9.0", "9.5"]);
        assert_eq!(around("9.4", Some("9.5")), ["9.4", "9.5"]);
        assert_eq!(around("2.0", None), ["9.5"]);
    }

    #[test]
    fn an_older_assembler_shortens_the_calendar() {
        let newest = |knows: fn(PtxVersion) -> bool| {
            VersionHistory::until(|version| Ok::<_, ()>(knows(version)))
                .unwrap()
                .map(|calendar| calendar.newest())
        };
        assert_eq!(newest(|version| version.major < 9), Some("8.8".parse().unwrap()));
        assert_eq!(newest(|_| false), None);
        assert_eq!(
            VersionHistory::every_version().version_before("2.0".parse().unwrap()),
            Some("1.5".parse().unwrap())
        );
        assert!(VERSIONS.is_sorted_by_key(|version| version.parse::<PtxVersion>().unwrap()));
    }
}
