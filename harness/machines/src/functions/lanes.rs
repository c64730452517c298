//! Who executes what next.

/// The lanes of a function that is being run, by their rows, each with the step that it executes next.
pub struct Lanes {
    /// Those that have not returned, in order.
    live: Vec<usize>,
    /// For each row, where it goes on, if it is not in the group.
    next: Vec<usize>,
    /// Those that execute the next step, in order.
    pub group: Vec<usize>,
    /// That step.
    pub at: usize,
    /// The smallest step of those that wait.
    waiting: usize,
}

impl Lanes {
    /// All begin at the first step.
    pub fn new(live: &[usize], rows: usize) -> Lanes {
        let (live, group) = (live.to_vec(), live.to_vec());
        Lanes { live, next: vec![0; rows], group, at: 0, waiting: usize::MAX }
    }

    /// Whether there is nobody left.
    pub fn are_done(&self) -> bool {
        self.live.is_empty()
    }

    /// Whether others are as far as the group, or further back, so that it has to be formed anew.
    pub fn meet(&self) -> bool {
        self.at >= self.waiting
    }

    /// Lanes of the group each go elsewhere; the group has to be formed anew.
    pub fn scatter(&mut self, going: &[usize], to: impl Iterator<Item = usize>) {
        self.stand(self.at);
        for (&lane, to) in going.iter().zip(to) {
            if let Some(next) = self.next.get_mut(lane) {
                *next = to;
            }
        }
    }

    /// These lanes of the group, in order, have returned; the group has to be formed anew.
    pub fn leave(&mut self, returning: &[usize]) {
        self.stand(self.at);
        if returning.len() == self.live.len() {
            self.live.clear();
        } else {
            self.live.retain(|lane| returning.binary_search(lane).is_err());
        }
    }

    /// All of the group go on at a step.
    fn stand(&mut self, at: usize) {
        for &lane in &self.group {
            if let Some(next) = self.next.get_mut(lane) {
                *next = at;
            }
        }
    }

    /// The group that has met others stands before its step.
    pub fn wait(&mut self) {
        self.stand(self.at);
    }

    /// Forms the group of those with the smallest step.
    pub fn form(&mut self) {
        let next = |lane: usize| self.next.get(lane).copied().unwrap_or(0);
        self.at = self.live.iter().map(|&lane| next(lane)).min().unwrap_or(0);
        self.waiting = usize::MAX;
        self.group.clear();
        for &lane in &self.live {
            let next = next(lane);
            if next == self.at {
                self.group.push(lane);
            } else {
                self.waiting = self.waiting.min(next);
            }
        }
    }
}
