//! Keeps which lanes execute which step next.

/// The lanes of a function that is being run, by their rows, each with the step that it executes next.
pub struct RunningLanes {
    /// The lanes that have not returned, in order.
    live: Vec<usize>,
    /// The step at which each row goes on, if it is not in the group.
    next: Vec<usize>,
    /// The lanes that execute the next step, in order.
    pub group: Vec<usize>,
    /// The number of the step that the group executes next.
    pub at: usize,
    /// The smallest step at which a lane outside of the group waits.
    waiting: usize,
    /// The lanes that wait for others at their step, in order; they are not among the live ones.
    parked: Vec<usize>,
}

impl RunningLanes {
    /// Returns lanes that all begin at the first step.
    pub fn new(live: &[usize], rows: usize) -> RunningLanes {
        let (live, group) = (live.to_vec(), live.to_vec());
        RunningLanes { live, next: vec![0; rows], group, at: 0, waiting: usize::MAX, parked: Vec::new() }
    }

    /// Whether no lane can go on: all have returned, or wait for others.
    pub fn are_done(&self) -> bool {
        self.live.is_empty()
    }

    /// Whether lanes wait for others.
    pub fn have_parked(&self) -> bool {
        !self.parked.is_empty()
    }

    /// Lets lanes of the group, which are given in order, wait for others at the group's step; the rest of the group goes
    /// on behind it. The group has to be formed anew.
    pub fn park(&mut self, waiting: &[usize]) {
        self.stand(self.at + 1);
        for &lane in waiting {
            if let Some(next) = self.next.get_mut(lane) {
                *next = self.at;
            }
        }
        self.live.retain(|lane| waiting.binary_search(lane).is_err());
        self.parked.extend(waiting);
        self.parked.sort_unstable();
    }

    /// Lists the lanes that wait for others, in order, with the step of each.
    pub fn parked(&self) -> Vec<(usize, usize)> {
        let next = |&lane: &usize| (lane, self.next.get(lane).copied().unwrap_or(0));
        self.parked.iter().map(next).collect()
    }

    /// Lets lanes that have waited go on behind their step; the group has to be formed anew.
    pub fn release(&mut self, lanes: &[usize]) {
        for &lane in lanes {
            if let Some(next) = self.next.get_mut(lane) {
                *next += 1;
            }
        }
        let mut sorted = lanes.to_vec();
        sorted.sort_unstable();
        self.parked.retain(|lane| sorted.binary_search(lane).is_err());
        self.live.extend(sorted);
        self.live.sort_unstable();
    }

    /// Whether other lanes are as far as the group, or further back, so that it has to be formed anew.
    pub fn meet(&self) -> bool {
        self.at >= self.waiting
    }

    /// Sends lanes of the group to a step each; the group has to be formed anew.
    pub fn scatter(&mut self, going: &[usize], to: impl Iterator<Item = usize>) {
        self.stand(self.at);
        for (&lane, to) in going.iter().zip(to) {
            if let Some(next) = self.next.get_mut(lane) {
                *next = to;
            }
        }
    }

    /// Removes lanes of the group that have returned, which are given in order; the group has to be formed anew.
    pub fn leave(&mut self, returning: &[usize]) {
        self.stand(self.at);
        // The lanes that return are among the live ones, so equal numbers mean that they are the same.
        if returning.len() == self.live.len() {
            self.live.clear();
        } else {
            self.live.retain(|lane| returning.binary_search(lane).is_err());
        }
    }

    /// Notes a step as the one at which all lanes of the group go on.
    fn stand(&mut self, at: usize) {
        for &lane in &self.group {
            if let Some(next) = self.next.get_mut(lane) {
                *next = at;
            }
        }
    }

    /// Lets the group, which has met other lanes, wait before its step.
    pub fn wait(&mut self) {
        self.stand(self.at);
    }

    /// Forms the group of the lanes with the smallest step.
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
