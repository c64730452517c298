//! The first stage, run for all pairs of factors: which products there are, in order of value, each with a pair that
//! has it.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use emulator::stages::{ProductKind, Products};
use formats::digests::triples;

use super::factor::{factors, is_product};
use super::{ProofSubject, Refutation};
use crate::LentThreads;

/// Products of one kind, in order of magnitude; zeros are lists of their own.
#[derive(Debug, PartialEq, Eq)]
pub struct List {
    /// The kind of the products: what they are beside their magnitude.
    pub kind: ProductKind,
    /// Whether the products are finite and not zero.
    pub is_numbers: bool,
    /// The significands of the products, as the first stage leaves them.
    pub significands: Vec<u32>,
    /// The exponents of the products, signed words.
    pub exponents: Vec<u32>,
    /// The lowest pair of factors that has each product: `a × 2^16 + b`.
    pub factors: Vec<u32>,
    /// The weights of all pairs whose products come before each product, and at the end the weight of all pairs.
    pub weights: Vec<u64>,
}

impl List {
    /// Returns the number of products.
    pub fn len(&self) -> usize {
        self.factors.len()
    }

    /// Returns a pair of factors that has a product.
    pub fn pair(&self, product: usize) -> [u16; 2] {
        let pair = self.factors[product];
        [(pair >> 16) as u16, pair as u16]
    }
}

/// Largest number of threads that weigh pairs: each has 16 bytes for every product, 0.7 GB in f16.
const WEIGHERS: usize = 4;

/// A class of products, which differ in their significands alone: their kind and their exponent.
type ProductClass = (u32, u32);

/// A set of significands.
struct Significands(Vec<AtomicU64>);

impl Significands {
    /// Makes an empty set of significands of so many bits.
    fn new(bits: u32) -> Significands {
        Significands((0..(1_u32 << bits) / u64::BITS).map(|_| AtomicU64::new(0)).collect())
    }

    /// Puts a significand into the set, which several threads may do at once.
    fn insert(&self, at: u32) {
        // No order is needed: the set is read when all threads have ended.
        let (word, bit) = (&self.0[(at / 64) as usize], 1 << (at % 64));
        // Most are there already, and looking is cheaper than writing.
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    /// Returns the significands of the set in ascending order.
    fn ordered(&self) -> impl Iterator<Item = u32> {
        self.0.iter().zip(0..).flat_map(|(word, number)| {
            let mut rest = word.load(Relaxed);
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(number * 64 + bit)
            })
        })
    }
}

/// The places in the lists of each product of a class.
struct Places {
    /// The words of the set of significands, and how many significands come before each word.
    words: Vec<(u64, u32)>,
    /// The places of the products in their list, by the order of their significands.
    places: Vec<u32>,
    /// The number of the list of zero, and that of the list of all others.
    lists: [usize; 2],
}

impl Places {
    fn new(set: &Significands) -> Places {
        let mut count = 0;
        let words = set.0.iter().map(|word| {
            let word = word.load(Relaxed);
            count += word.count_ones();
            (word, count - word.count_ones())
        });
        let words = words.collect();
        Places { words, places: vec![0; count as usize], lists: [0; 2] }
    }

    /// Returns how many significands are below a given one.
    fn order(&self, at: u32) -> usize {
        let (word, before) = self.words[(at / 64) as usize];
        let below = word & ((1 << (at % 64)) - 1);
        (before + below.count_ones()) as usize
    }
}

/// The threads that do some work, and the flag that tells them to stop.
pub type StoppableThreads<'a> = (&'a LentThreads<'a>, &'a AtomicBool);

/// Finds the products that all pairs of factors have in a subject's first stage; `None` if that was broken off.
///
/// # Errors
/// A refutation, by a pair whose product is another than it should be.
pub fn products(
    subject: &ProofSubject,
    (threads, stop): StoppableThreads<'_>,
) -> Result<Option<Vec<List>>, Refutation> {
    let found = find(subject, (threads, stop))?;
    let spare = subject.machine.basis().spare_bits();
    let (mut lists, places) = arrange(&found, spare);
    // Threads that shared the weights would wait for each other most of the time.
    let few = |most: usize, work: &(dyn Fn() + Sync)| threads(most.min(WEIGHERS), work);
    weigh(subject, (&few, stop), &mut lists, &places);
    Ok((!stop.load(Relaxed)).then_some(lists))
}

/// Calls a function with each first factor, some second factors and their products, on threads that are lent. Each
/// thread has something of its own; all of these are returned. Factors that differ in their trailing bits alone are
/// taken together: their products lie close to each other in memory.
fn with_all<T: Send, E: Send>(
    subject: &ProofSubject,
    (threads, stop): StoppableThreads<'_>,
    own: impl Fn() -> T + Sync,
    each: impl Fn(&mut T, u32, &[u32], &Products) -> Result<(), E> + Sync,
) -> Result<Vec<T>, E> {
    let binade = 1 << subject.format.trailing_bits;
    let data: Vec<u32> = (0..subject.data()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut own, mut products) = (own(), Products::default());
        while let Some(first) = data.chunks(binade).nth(next.fetch_add(1, Relaxed)) {
            for second in data.chunks(binade) {
                if stop.load(Relaxed) {
                    return Ok(own);
                }
                for &a in first {
                    subject.machine.products([&vec![a; second.len()], second], &mut products);
                    if let Err(error) = each(&mut own, a, second, &products) {
                        // Other threads then find nothing more to do.
                        next.store(data.len(), Relaxed);
                        return Err(error);
                    }
                }
            }
        }
        Ok(own)
    };
    let ended = Mutex::new(Vec::new());
    threads(usize::MAX, &|| {
        let result = work();
        ended.lock().expect("nothing panics with it").push(result);
    });
    ended.into_inner().expect("as above").into_iter().collect()
}

type FoundProducts = HashMap<ProductClass, Arc<Significands>>;

/// Finds all products, and holds each against what it should be.
fn find(subject: &ProofSubject, work: StoppableThreads<'_>) -> Result<FoundProducts, Refutation> {
    let factors = factors(subject.format, subject.flush, subject.out_of_bounds);
    let basis = subject.machine.basis();
    let (spare, scale) = (basis.spare_bits(), basis.scale());
    let found = Mutex::new(FoundProducts::new());
    with_all(subject, work, FoundProducts::new, |own, a, second, products| {
        let Products { kinds, significands, exponents } = products;
        let mut current: Option<(ProductClass, Arc<Significands>)> = None;
        let parts = kinds.iter().zip(significands).zip(exponents);
        for (&b, ((&kind, &significand), &exponent)) in second.iter().zip(parts) {
            let pair = [factors[a as usize], factors[b as usize]];
            let fits = significand.trailing_zeros() >= spare;
            if !fits || !is_product(pair, ProductKind(kind), [significand, exponent], scale) {
                let found = [kind, significand, exponent];
                return Err(Refutation::Product {
                    subject: subject.name.clone(),
                    pair: [a as u16, b as u16],
                    found,
                });
            }
            let class = (kind, exponent);
            let set = match &current {
                Some((same, set)) if *same == class => set,
                _ => {
                    let set = own.entry(class).or_insert_with(|| {
                        let new = || Arc::new(Significands::new(u32::BITS - spare));
                        found.lock().expect("nobody panics").entry(class).or_insert_with(new).clone()
                    });
                    &current.insert((class, set.clone())).1
                }
            };
            set.insert(significand >> spare);
        }
        Ok(())
    })?;
    Ok(found.into_inner().expect("nobody panics"))
}

/// Returns a number that orders products of one kind by their magnitude.
fn magnitude(significand: u32, exponent: u32) -> u64 {
    let zeros = significand.leading_zeros();
    let highest = i64::from(exponent.cast_signed()) - i64::from(zeros);
    match significand {
        // Zero comes first. The exponent is moved up, since it may be negative and the number is unsigned.
        0 => 0,
        _ => ((highest + (1 << 31)) as u64) << 32 | u64::from(significand << zeros),
    }
}

/// A product of a list: magnitude, exponent and significand.
type Member = (u64, u32, u32);

/// Arranges the products that were found in lists, so far without factors and weights. Returns the lists, and where in
/// them each product is.
fn arrange(found: &FoundProducts, spare: u32) -> (Vec<List>, HashMap<ProductClass, Places>) {
    let mut places: HashMap<ProductClass, Places> = HashMap::new();
    let mut members: BTreeMap<(u32, bool), Vec<Member>> = BTreeMap::new();
    for (&(kind, exponent), set) in found {
        for at in set.ordered() {
            let significand = at << spare;
            let is_numbers = significand != 0 && kind & !ProductKind::NEGATIVE == 0;
            let member = (magnitude(significand, exponent), exponent, significand);
            members.entry((kind, is_numbers)).or_default().push(member);
        }
        places.insert((kind, exponent), Places::new(set));
    }
    let mut lists = Vec::new();
    for (number, ((kind, is_numbers), mut members)) in members.into_iter().enumerate() {
        members.sort_unstable();
        for (place, &(_, exponent, significand)) in members.iter().enumerate() {
            let of = places.get_mut(&(kind, exponent)).expect("each class has places");
            let order = of.order(significand >> spare);
            of.places[order] = place as u32;
            of.lists[usize::from(significand != 0)] = number;
        }
        lists.push(List {
            kind: ProductKind(kind),
            is_numbers,
            exponents: members.iter().map(|&(_, exponent, _)| exponent).collect(),
            significands: members.iter().map(|&(.., significand)| significand).collect(),
            factors: Vec::new(),
            weights: Vec::new(),
        });
    }
    (lists, places)
}

/// The weight of all pairs that have one product, and the lowest of these pairs.
type Pairs = (u64, u32);

/// Gives each product its factors and weights.
fn weigh(
    subject: &ProofSubject,
    work: StoppableThreads<'_>,
    lists: &mut [List],
    places: &HashMap<ProductClass, Places>,
) {
    let spare = subject.machine.basis().spare_bits();
    let none = || -> Vec<Vec<Pairs>> {
        lists.iter().map(|list| vec![(0, u32::MAX); list.significands.len()]).collect()
    };
    let all = with_all::<_, Infallible>(subject, work, none, |pairs, a, second, products| {
        let Products { kinds, significands, exponents } = products;
        let mut current = None;
        let parts = kinds.iter().zip(significands).zip(exponents);
        for (&b, ((&kind, &significand), &exponent)) in second.iter().zip(parts) {
            let class = (kind, exponent);
            let of = match current {
                Some((same, of)) if same == class => of,
                _ => current.insert((class, &places[&class])).1,
            };
            let list = of.lists[usize::from(significand != 0)];
            let (weight, lowest) = &mut pairs[list][of.places[of.order(significand >> spare)] as usize];
            *weight = weight.wrapping_add(triples::pair(a as u16, b as u16));
            *lowest = (*lowest).min(a << 16 | b);
        }
        Ok(())
    });
    let Ok(all) = all;
    for (number, list) in lists.iter_mut().enumerate() {
        let mut sum = 0_u64;
        list.weights.push(sum);
        for place in 0..list.significands.len() {
            let of = all.iter().map(|pairs| pairs[number][place]);
            let (weight, lowest) = of.fold((0_u64, u32::MAX), |(w, l), (weight, lowest)| {
                (w.wrapping_add(weight), l.min(lowest))
            });
            sum = sum.wrapping_add(weight);
            list.weights.push(sum);
            list.factors.push(lowest);
        }
    }
}
