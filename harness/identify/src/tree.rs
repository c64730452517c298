//! Trees of sums, which say what is added together and rounded once.

/// A node of a tree: a place, or a sum of several nodes that are rounded once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Place(usize),
    Sum(Vec<Node>),
}

/// Builds the tree of some places from the number of places that are lost for each pair; returns `None` where no tree
/// explains these numbers.
pub fn tree(places: &[usize], lost: &[Vec<usize>]) -> Option<Node> {
    if let [place] = places {
        return Some(Node::Place(*place));
    }
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for &place in places {
        // Two places are in one part if they meet below this node, where not all of its places are lost.
        let below = |part: &Vec<usize>| lost[part[0]][place] < places.len();
        match parts.iter().position(below) {
            Some(at) => parts[at].push(place),
            None => parts.push(vec![place]),
        }
    }
    let meets = |i: usize, j: usize| lost[parts[i][0]][parts[j][0]] == places.len();
    let consistent = (0..parts.len()).all(|i| (0..i).all(|j| meets(i, j)));
    if parts.len() < 2 || !consistent {
        return None;
    }
    parts.iter().map(|part| tree(part, lost)).collect::<Option<Vec<Node>>>().map(Node::Sum)
}

impl Node {
    /// Returns the places directly in the node, and the sum in it, where there is no more than one sum.
    fn step(&self) -> Option<(Vec<usize>, Option<&Node>)> {
        let Node::Sum(parts) = self else { return None };
        let (mut places, mut inner) = (Vec::new(), None);
        for part in parts {
            match part {
                Node::Place(place) => places.push(*place),
                Node::Sum(_) if inner.is_none() => inner = Some(part),
                Node::Sum(_) => return None,
            }
        }
        Some((places, inner))
    }

    /// Returns the steps of a chain, the first one first; `None` where the tree is no chain.
    pub fn chain(&self) -> Option<Vec<Vec<usize>>> {
        let (mut steps, mut next) = (Vec::new(), Some(self));
        while let Some(node) = next {
            let (places, inner) = node.step()?;
            steps.push(places);
            next = inner;
        }
        steps.reverse();
        Some(steps)
    }

    /// Describes the tree as a sum in words; `addend` is the addend's place.
    pub fn text(&self, addend: usize) -> String {
        let Node::Sum(parts) = self else { return ranges(&[self.first()], addend) };
        let places: Vec<usize> = parts
            .iter()
            .filter_map(|part| match part {
                Node::Place(place) => Some(*place),
                Node::Sum(_) => None,
            })
            .collect();
        let sums = parts.iter().filter(|part| matches!(part, Node::Sum(_)));
        let mut words: Vec<String> = sums.map(|sum| format!("({})", sum.text(addend))).collect();
        if !places.is_empty() {
            words.push(ranges(&places, addend));
        }
        words.join(" + ")
    }

    /// Returns the first place in the node.
    fn first(&self) -> usize {
        match self {
            Node::Place(place) => *place,
            Node::Sum(parts) => parts.first().map_or(0, Node::first),
        }
    }

    /// Returns the largest set of terms that meet in one node.
    pub fn widest(&self, addend: usize) -> Vec<usize> {
        let Node::Sum(parts) = self else { return Vec::new() };
        let here = parts.iter().filter_map(|part| match part {
            Node::Place(place) if *place != addend => Some(*place),
            _ => None,
        });
        let below = parts.iter().map(|part| part.widest(addend));
        below.chain([here.collect()]).max_by_key(Vec::len).unwrap_or_default()
    }
}

/// Describes places in words: `0…7`, `c + 0…3`; of many runs the first two and the last.
fn ranges(places: &[usize], addend: usize) -> String {
    let mut terms: Vec<usize> = places.iter().copied().filter(|place| *place != addend).collect();
    terms.sort_unstable();
    let runs: Vec<String> = terms
        .chunk_by(|one, next| one + 1 == *next)
        .map(|run| match (run[0], run[run.len() - 1]) {
            (first, last) if first == last => first.to_string(),
            (first, last) if first + 1 == last => format!("{first} + {last}"),
            (first, last) => format!("{first}…{last}"),
        })
        .collect();
    let terms = match &runs[..] {
        [first, second, _, .., last] if runs.len() > 4 => {
            Some(format!("{first} + {second} + … + {last}"))
        }
        [] => None,
        runs => Some(runs.join(" + ")),
    };
    let addend = places.contains(&addend).then(|| "c".to_owned());
    addend.into_iter().chain(terms).collect::<Vec<_>>().join(" + ")
}
