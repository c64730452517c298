//! Devices and their drivers: the targets and versions of PTX that they take, and so the head of a module that a
//! variant can stand in.

use std::fmt;

use isa::matrix::MatrixVariant;
use isa::{Features, PtxVersion, Since, Target, Variant};

use crate::history::VersionHistory;

/// The version and the target of a module (PTX ISA 11.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Header {
    /// `.version`
    pub ptx: PtxVersion,
    /// `.target`
    pub target: Target,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".version {}\n.target {}\n.address_size 64\n", self.ptx, self.target)
    }
}

/// The first version that has `.address_size`.
const OLDEST: PtxVersion = PtxVersion { major: 2, minor: 3 };

/// The reason why a device lacks a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unavailable {
    /// The variant is a cast, which PTX does not have at all.
    Cast,
    /// The variant works on memory that several devices have at one address, or that a handle stands for, and no
    /// kernel of the suite's makes either.
    Devices,
    /// The variant loads from tensor memory, which no kernel of the suite has.
    TensorMemory,
    /// The variant has its types from the map of a tensor, which no kernel of the suite has.
    TensorMap,
    /// No target of the device has the variant.
    Target {
        /// The device's target with the most features.
        device: Target,
        /// The targets that first have the variant.
        first: Vec<Target>,
    },
    /// The driver does not read the version of PTX that has the variant.
    Version {
        /// The first version that has the variant.
        first: PtxVersion,
        /// The newest version that the driver reads.
        newest: PtxVersion,
    },
}

impl Unavailable {
    /// Returns why there is no kernel of a variant of PTX, on whatever device, or `None` if there is one. No kernel
    /// makes an address that several devices have memory at or a handle, and none has tensor memory or the map of a
    /// tensor.
    fn kernel(variant: &Variant) -> Option<Unavailable> {
        match () {
            () if variant.is_elsewhere() => Some(Unavailable::Devices),
            () if variant.is_of_tensor_memory() => Some(Unavailable::TensorMemory),
            () if variant.is_of_tensor_map() => Some(Unavailable::TensorMap),
            () => None,
        }
    }
}

/// Whether there is a kernel of a variant of PTX.
pub fn has_kernel(variant: &Variant) -> bool {
    Unavailable::kernel(variant).is_none()
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::Cast => f.write_str("a cast: PTX does not have it"),
            Unavailable::Devices => f.write_str(
                "it works on memory that several devices share, or that a handle stands for, and the \
                 suite's kernels have neither; test a program that executes it with `--impl \
                 'exec:COMMAND'` (operands: docs/what/memory-vectors.md)",
            ),
            Unavailable::TensorMemory => f.write_str(
                "it loads from tensor memory, and the suite's kernels have none; test a program that \
                 executes it with `--impl 'exec:COMMAND'` (operands: \
                 docs/what/warp-and-tensor-memory.md)",
            ),
            Unavailable::TensorMap => f.write_str(
                "it needs the map of a tensor, and the suite's kernels have none; test a program that \
                 executes it with `--impl 'exec:COMMAND'` (operands: docs/what/memory-vectors.md)",
            ),
            Unavailable::Target { device, first } => {
                let first: Vec<String> = first.iter().map(Target::to_string).collect();
                write!(f, "{device} does not have it; first to have it: {}", first.join(", "))
            }
            Unavailable::Version { first, newest } => {
                write!(f, "it needs PTX {first}, and the driver takes at most {newest}")
            }
        }
    }
}

/// A device with its driver, or an assembler for one: the targets and versions that may stand at the head of its
/// modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Targets of the device, those with fewer features first, and the version of PTX that brought each.
    targets: Vec<(Target, PtxVersion)>,
    /// The newest version of PTX that is read.
    newest: PtxVersion,
}

impl Device {
    /// Returns the device of a compute capability (90 for 9.0), for a driver that reads PTX up to `newest`. It takes
    /// the target of that number, its family's and its architecture's. A device that is newer than all known targets
    /// takes the latest plain target before it. `None` if there is no such target.
    pub fn of(capability: u16, newest: PtxVersion) -> Option<Device> {
        let known = || Target::all().filter(|&(_, start)| start <= newest);
        let mut targets: Vec<_> = known().filter(|(target, _)| target.number == capability).collect();
        // Other methods take the first target for the plainest, and the last for the one with the most features.
        targets.sort_unstable_by_key(|(target, _)| target.features);
        if targets.is_empty() {
            let plain = |target: Target| target.features == Features::Baseline;
            let before = known().filter(|&(one, _)| plain(one) && one.number < capability);
            targets.extend(before.max_by_key(|(target, _)| target.number));
        }
        (!targets.is_empty()).then_some(Device { targets, newest })
    }

    /// Returns a device that takes only this target, one that exists since version `start`.
    pub fn only_target(target: Target, start: PtxVersion, newest: PtxVersion) -> Device {
        Device { targets: vec![(target, start)], newest }
    }

    /// Returns the target with the fewest features, and the one with the most.
    pub fn targets(&self) -> (Target, Target) {
        let ends = (self.targets.first(), self.targets.last());
        let (Some((plainest, _)), Some((richest, _))) = ends else {
            unreachable!("a device has targets")
        };
        (*plainest, *richest)
    }

    /// Returns the head of a module for a variant: of the device's targets the plainest that has it, and the oldest
    /// version that has it there, so that old drivers can do as much as possible.
    ///
    /// # Errors
    /// If there is no such head, says why.
    pub fn header(&self, variant: &Variant) -> Result<Header, Unavailable> {
        if !variant.is_ptx() {
            return Err(Unavailable::Cast);
        }
        if let Some(lack) = Unavailable::kernel(variant) {
            return Err(lack);
        }
        let since = &variant.form().since;
        self.first(since, |target, ptx| variant.available(Some(target), Some(ptx)))
    }

    /// Returns the head of a module for a matrix instruction: of the device's targets the plainest that has it, and the
    /// oldest version that has it there, so that old drivers can do as much as possible.
    ///
    /// # Errors
    /// If there is no such head, says why.
    pub fn header_of_matrix(&self, variant: &MatrixVariant) -> Result<Header, Unavailable> {
        let form = variant.form();
        self.first(&form.since, |target, ptx| form.available(Some(target), Some(ptx)))
    }

    /// Finds the head of a module: of the device's targets the plainest that is `available`, in the oldest version that
    /// has it there. `since` has the targets that an error names.
    fn first(
        &self,
        since: &[Since],
        available: impl Fn(Target, PtxVersion) -> bool,
    ) -> Result<Header, Unavailable> {
        let calendar = VersionHistory::every_version();
        let first = |&(target, start): &(Target, PtxVersion)| {
            // Every head has the line `.address_size`, so no version before `OLDEST` will do.
            let mut versions = calendar.versions().filter(|&ptx| ptx >= start.max(OLDEST));
            versions.find(|&ptx| available(target, ptx)).map(|ptx| (ptx, target))
        };
        let all: Vec<_> = self.targets.iter().filter_map(first).collect();
        // `targets` has those with fewer features first, so the first that fits is the plainest.
        if let Some(&(ptx, target)) = all.iter().find(|(ptx, _)| *ptx <= self.newest) {
            return Ok(Header { ptx, target });
        }
        Err(match all.iter().min() {
            // Some target has it, but in no version that the driver reads: the error names the earliest.
            Some(&(first, _)) => Unavailable::Version { first, newest: self.newest },
            None => {
                let first = since.iter().flat_map(|since| &since.targets);
                Unavailable::Target { device: self.targets().1, first: first.copied().collect() }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(capability: u16, newest: &str) -> Device {
        Device::of(capability, newest.parse().unwrap()).unwrap()
    }

    fn targets(capability: u16, newest: &str) -> Vec<String> {
        device(capability, newest).targets.iter().map(|(target, _)| target.to_string()).collect()
    }

    #[test]
    fn a_device_takes_its_own_targets_or_the_latest_before_them() {
        assert_eq!(targets(75, "9.5"), ["sm_75"]);
        assert_eq!(targets(90, "9.5"), ["sm_90", "sm_90a"]);
        assert_eq!(targets(100, "9.5"), ["sm_100", "sm_100f", "sm_100a"]);
        assert_eq!(targets(100, "8.6"), ["sm_100", "sm_100a"], "the families came later");
        assert_eq!(targets(100, "8.4"), ["sm_90"], "a driver older than the device");
        assert_eq!(targets(305, "9.5"), ["sm_121"], "a device newer than the table");
        assert_eq!(Device::of(10, "9.5".parse().unwrap()), None);
    }

    #[test]
    fn a_header_is_the_plainest_and_oldest_that_has_the_variant() {
        let header = |capability, newest, variant: &str| {
            let header = device(capability, newest).header(&variant.parse().unwrap());
            header.map(|header| format!("{} {}", header.target, header.ptx))
        };
        assert_eq!(header(90, "9.5", "add.rn.f32"), Ok("sm_90 7.8".into()));
        assert_eq!(header(75, "9.5", "add.f16"), Ok("sm_75 6.3".into()));
        assert_eq!(header(90, "8.1", "fma.rn.oob.f16"), Ok("sm_90 8.1".into()));
        assert_eq!(header(100, "9.5", "cvt.rn.f16x2.e2m1x2"), Ok("sm_100f 8.8".into()));
        assert_eq!(header(100, "8.6", "add.f32.f16"), Ok("sm_100 8.6".into()));
        assert_eq!(header(100, "9.5", "cvt.rs.f16x2.f32"), Ok("sm_100a 8.7".into()));
    }

    #[test]
    fn headers_of_the_oldest_targets_have_versions_that_know_their_lines() {
        let (target, ptx) = Target::all().next().unwrap();
        let device = Device::only_target(target, ptx, "9.5".parse().unwrap());
        let header = device.header(&"add.f32".parse().unwrap()).unwrap();
        assert_eq!((header.target.to_string(), header.ptx), ("sm_20".into(), OLDEST));
    }

    #[test]
    fn what_a_device_lacks_it_lacks_for_a_reason() {
        let lack = |capability, newest, variant: &str| {
            device(capability, newest).header(&variant.parse().unwrap()).unwrap_err().to_string()
        };
        assert_eq!(lack(90, "9.5", "cast.rn.e4m3fnuz.f32"), "a cast: PTX does not have it");
        assert_eq!(
            lack(90, "9.5", "cvt.rs.f16x2.f32"),
            "sm_90a does not have it; first to have it: sm_100a, sm_103a, sm_107a"
        );
        assert_eq!(
            lack(90, "8.0", "fma.rn.oob.f16"),
            "it needs PTX 8.1, and the driver takes at most 8.0"
        );
    }

    #[test]
    fn the_head_of_a_module_is_three_lines() {
        let header = Header { ptx: "8.0".parse().unwrap(), target: "sm_90a".parse().unwrap() };
        assert_eq!(header.to_string(), ".version 8.0\n.target sm_90a\n.address_size 64\n");
    }
}
