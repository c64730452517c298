//! Shards: parts of a run, for several machines.

use serde::{Deserialize, Serialize};

/// A part of a run, one of `count` equal parts that are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Number of the part, from 1.
    pub index: u64,
    /// Number of parts that the run is divided into.
    pub count: u64,
}

impl Shard {
    /// Whether the run has a part of this number. What a file says of itself may be any two numbers.
    pub fn exists(&self) -> bool {
        (1..=self.count).contains(&self.index)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parse = || {
            let (index, count) = text.split_once('/')?;
            Some(Shard { index: index.parse().ok()?, count: count.parse().ok()? })
        };
        match parse() {
            Some(shard) if shard.exists() => Ok(shard),
            Some(shard) if shard.count == 0 => {
                Err("there are no parts of 0: write a shard like 2/4".into())
            }
            Some(shard) => Err(format!(
                "there is no part {} of {}; parts are 1/{1} to {1}/{1}",
                shard.index, shard.count
            )),
            None => Err("write a shard like 2/4, the second of four parts".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_that_do_not_exist_are_refused() {
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, count: 4 }));
        for text in ["5/4", "0/4", "1/0", "1", "a/b", "-1/4", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert!("3/2".parse::<Shard>().unwrap_err().ends_with("parts are 1/2 to 2/2"));
        assert!(!"1/0".parse::<Shard>().unwrap_err().contains("0/0"));
    }
}
