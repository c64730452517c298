//! Which deviations agree with the evidence.

use std::collections::{BTreeMap, BTreeSet};

use judge::MismatchKind;
use model::{Deviation, Deviations, Model};
use vectors::column;
use vectors::sweep::results_for;

use super::Explanation;
use super::scene::{Bench, Scene};

/// Mismatches of a class that pairs of deviations are tried on first.
const FEW: usize = 4;

/// Deviations, and the classes whose results they have given so far.
struct Suspect {
    deviations: Deviations,
    explained: BTreeSet<MismatchKind>,
}

/// The explanation of each class that has one.
pub fn explain(bench: &Bench, scenes: &[Scene]) -> BTreeMap<MismatchKind, Explanation> {
    if !Model::covers(bench.variant) {
        return BTreeMap::new();
    }
    let mut counts: BTreeMap<MismatchKind, u64> = BTreeMap::new();
    for (_, kind) in scenes.iter().flat_map(|scene| &scene.mismatches) {
        *counts.entry(*kind).or_default() += 1;
    }
    let rows: u64 = scenes.iter().map(|scene| scene.operands[0].rows() as u64).sum();
    let agreeing = rows - counts.values().sum::<u64>();
    let concerned: Vec<Deviation> =
        Deviation::ALL.iter().copied().filter(|deviation| deviation.concerns(bench.variant)).collect();
    let singles = concerned.iter().map(|&deviation| Deviations::from(deviation)).collect();
    let mut open: BTreeSet<MismatchKind> = counts.keys().copied().collect();
    let mut convicted = convict(bench, scenes, singles, &open);
    open.retain(|kind| !convicted.contains_key(kind));
    if !open.is_empty() {
        let pairs = pairs(&concerned).filter(|&pair| gives_few(bench, scenes, pair, &open)).collect();
        convicted.extend(convict(bench, scenes, pairs, &open));
    }
    let explanation = |(kind, guilty): (MismatchKind, Vec<Deviations>)| {
        let (deviations, others) = (guilty[0], guilty[1..].to_vec());
        (kind, Explanation { deviations, mismatches: counts[&kind], agreeing, others })
    };
    convicted.into_iter().map(explanation).collect()
}

fn pairs(concerned: &[Deviation]) -> impl Iterator<Item = Deviations> {
    concerned.iter().enumerate().flat_map(move |(place, &first)| {
        let others = concerned[place + 1..].iter();
        others.map(move |&second| Deviations::from(first).and(second.into()))
    })
}

/// Tries suspects on all scenes; for each class of `open` that some of them explain, those that do, the
/// likeliest first.
fn convict(
    bench: &Bench,
    scenes: &[Scene],
    suspects: Vec<Deviations>,
    open: &BTreeSet<MismatchKind>,
) -> BTreeMap<MismatchKind, Vec<Deviations>> {
    let suspect = |deviations| Suspect { deviations, explained: open.clone() };
    let mut suspects: Vec<Suspect> = suspects.into_iter().map(suspect).collect();
    // The scenes that tell most come first.
    let mut order: Vec<&Scene> = scenes.iter().collect();
    order.sort_by_key(|scene| std::cmp::Reverse(scene.mismatches.len().min(1)));
    for scene in order {
        suspects.retain_mut(|suspect| suspect.agrees(bench, scene));
    }
    // Whoever explains most classes comes first; of equals, the first of the table.
    suspects.sort_by_key(|suspect| std::cmp::Reverse(suspect.explained.len()));
    let mut convicted: BTreeMap<MismatchKind, Vec<Deviations>> = BTreeMap::new();
    for suspect in &suspects {
        for kind in &suspect.explained {
            convicted.entry(*kind).or_default().push(suspect.deviations);
        }
    }
    convicted
}

impl Suspect {
    /// Whether it may still be: it spoils no result that is right, and explains some class.
    fn agrees(&mut self, bench: &Bench, scene: &Scene) -> bool {
        let rows = scene.operands[0].rows();
        let mut given = results_for(bench.variant, rows);
        Model::new(bench.variant, self.deviations).run(&scene.operands, &mut given);
        let wrong = bench.judge.verdicts(&scene.truth, scene.batch(&given));
        let mismatches = &scene.mismatches;
        let known = |row: &usize| mismatches.binary_search_by_key(row, |(row, _)| *row).is_ok();
        if !wrong.iter().all(|(row, _)| known(row)) {
            return false;
        }
        for (row, kind) in mismatches {
            if self.explained.contains(kind)
                && !bench.judge.alike(&column::row(&given, *row), &column::row(&scene.results, *row))
            {
                self.explained.remove(kind);
            }
        }
        !self.explained.is_empty()
    }
}

/// Whether deviations give the results of a few mismatches of some class.
fn gives_few(
    bench: &Bench,
    scenes: &[Scene],
    deviations: Deviations,
    open: &BTreeSet<MismatchKind>,
) -> bool {
    open.iter().any(|kind| {
        let of_kind = scenes.iter().flat_map(|scene| {
            let rows = scene.mismatches.iter().filter(|(_, of)| of == kind);
            rows.map(move |(row, _)| (scene, *row))
        });
        let model = Model::new(bench.variant, deviations);
        of_kind.take(FEW).all(|(scene, row)| {
            let operands = column::select(&scene.operands, &[row]);
            let mut given = results_for(bench.variant, 1);
            model.run(&operands, &mut given);
            bench.judge.alike(&column::row(&given, 0), &column::row(&scene.results, row))
        })
    })
}
