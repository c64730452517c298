//! Writes the score of the suite, how many mutants its vectors kill, as a page for people: `mutants.md`.

use std::fmt::Write;

use super::score::{Family, Score};

impl Score {
    /// Returns the page, in Markdown.
    pub fn page(&self) -> String {
        let mut page = String::new();
        self.write(&mut page).expect("a string takes everything");
        page
    }

    /// Writes the page but for its last two sections, and then these.
    fn write(&self, page: &mut String) -> std::fmt::Result {
        let (totals, comparison) = (&self.totals, &self.comparison);
        writeln!(page, "# Detection power of the {} tier\n", self.tier)?;
        writeln!(
            page,
            "Made by `cargo xtask dev mutants`; not edited. A mutant is one variant with one fault.\n"
        )?;
        if self.left > 0 {
            writeln!(page, "NOT RUN TO THE END: {} variants are left.\n", self.left)?;
        }
        writeln!(page, "| mutants | killed | tolerated | equivalent | survived |")?;
        writeln!(page, "| ---: | ---: | ---: | ---: | ---: |")?;
        writeln!(
            page,
            "| {} | {} | {} | {} | {} |\n",
            totals.mutants, totals.killed, totals.tolerated, totals.equivalent, totals.survived
        )?;
        writeln!(
            page,
            "*Killed*: the judge calls one of the mutant's results a mismatch. *Tolerated*: some of the \
             mutant's results differ from those of the first interpretation, but a named relaxation permits \
             each of them. *Equivalent*: none of the mutant's results can differ from the right one; the end \
             of this page has the reasons. There are {} variants, the seed is {}, and the score is {}.\n",
            self.variants,
            self.seed,
            percent(totals.killed, totals.killed + totals.survived)
        )?;
        writeln!(page, "## Three generators on one budget\n")?;
        writeln!(
            page,
            "The suite's sweeps get at most {} vectors each, {} vectors in all. For each variant, the two \
             other generators get the same number of vectors. Of the {} mutants that the whole tier kills, \
             the three generators kill:\n",
            comparison.vectors_per_sweep, comparison.vectors, comparison.mutants
        )?;
        writeln!(page, "| generator | killed | survived | share |\n| --- | ---: | ---: | ---: |")?;
        let generators = [
            ("the suite's sweeps", comparison.sweeps),
            ("Berkeley TestFloat's method, level 1", comparison.testfloat),
            ("uniformly random bits", comparison.uniform),
        ];
        for (name, killed) in generators {
            let survived = comparison.mutants - killed;
            writeln!(
                page,
                "| {name} | {killed} | {survived} | {} |",
                percent(killed, comparison.mutants)
            )?;
        }
        writeln!(page, "\n## Which sweep kills a mutant first\n\n| sweep | mutants |\n| --- | ---: |")?;
        for (sweep, count) in &self.sweeps {
            writeln!(page, "| {sweep} | {count} |")?;
        }
        self.write_mutations(page)?;
        self.write_proofs(page)
    }

    /// Writes the section with a table for each mutation, a row for each operation that has such mutants.
    fn write_mutations(&self, page: &mut String) -> std::fmt::Result {
        writeln!(page, "\n## Faults\n")?;
        writeln!(
            page,
            "For each fault and operation, the tables have the number of mutants, and how many of these are \
             killed, tolerated, equivalent, and survive. *Half after* is the number of vectors after which \
             half of the killed mutants are killed, and *all after* the number after which all of them \
             are. *Hardest* names the variant of the mutant that takes longest, and the sweep and number of \
             the vector that kills it. The last three columns have how many mutants each generator kills on \
             the same budget.\n"
        )?;
        let same = |a: &Family, b: &Family| a.mutation == b.mutation;
        let mut mutations: Vec<&[Family]> = self.families.chunk_by(same).collect();
        mutations.sort_by_key(|families| families[0].mutation.clone());
        for families in mutations {
            writeln!(page, "### {}\n\n{}.\n", families[0].mutation, capital(&families[0].words))?;
            writeln!(
                page,
                "| operation | mutants | killed | tolerated | equivalent | survived | half after | all after | hardest | sweeps | TestFloat | uniform |"
            )?;
            writeln!(
                page,
                "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |"
            )?;
            for family in families {
                let number = |number: Option<u64>| number.map_or(String::new(), |n| n.to_string());
                let hardest = family.hardest.as_ref().map_or(String::new(), |text| format!("`{text}`"));
                let (counts, [sweeps, uniform, testfloat]) = (&family.counts, family.compared);
                writeln!(
                    page,
                    "| {} | {} | {} | {} | {} | {} | {} | {} | {hardest} | {sweeps} | {testfloat} | {uniform} |",
                    family.operation,
                    counts.mutants,
                    counts.killed,
                    counts.tolerated,
                    counts.equivalent,
                    counts.survived,
                    number(family.median),
                    number(family.most),
                )?;
            }
            writeln!(page)?;
        }
        Ok(())
    }

    /// Writes the section that says why equivalent mutants cannot be killed.
    fn write_proofs(&self, page: &mut String) -> std::fmt::Result {
        writeln!(page, "## Why some are equivalent\n")?;
        for family in &self.families {
            for (proof, count) in &family.proofs {
                let (mutation, operation) = (&family.mutation, family.operation);
                writeln!(page, "- {mutation} in `{operation}` ({count}): {proof}.")?;
            }
        }
        Ok(())
    }
}

/// Returns a share as text with two digits behind the point, cut off, so that only all of a whole is 100 %; `—` of
/// nothing.
pub fn percent(part: u64, whole: u64) -> String {
    match (part, whole) {
        (_, 0) => "—".into(),
        (part, whole) if part == whole => "100 %".into(),
        (part, whole) => format!("{:.2} %", (part as f64 / whole as f64 * 1e4).floor() / 100.0),
    }
}

/// Returns a text with its first letter in upper case.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}
