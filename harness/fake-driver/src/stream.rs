//! Keeps what was put on streams, in order, until somebody waits.

use std::ops::Range;
use std::sync::Arc;

use machines::interpreter::MemoryError;

use crate::kernel::{FakeKernel, Launch};
use crate::memory::Allocations;
use crate::misuse::misuse;
use crate::settings::DriverSettings;

/// A stream, and the operations that were put on it.
#[derive(Default)]
pub struct Stream {
    /// The operations that the stream has still to do.
    pub queued: Vec<StreamOperation>,
    /// Whether the stream was asked already if its operations are done.
    pub asked: bool,
}

impl Stream {
    /// Whether the stream has nothing to do.
    pub fn is_empty(&self) -> bool {
        self.queued.is_empty()
    }
}

/// An operation that is put on a stream.
pub enum StreamOperation {
    /// Fill memory of the device with a byte.
    Fill { address: u64, bytes: usize, value: u8 },
    /// Copy memory of the host to an address.
    ToDevice { address: u64, host: Range<usize> },
    /// Copy from an address to memory of the host.
    ToHost { address: u64, host: Range<usize> },
    /// Run a kernel of the module of this handle.
    Launch { module: usize, kernel: Arc<FakeKernel>, launch: Launch },
}

impl StreamOperation {
    /// Performs the operation, unless the device is lost by then.
    ///
    /// # Safety
    /// Memory of the host must be allocated.
    pub unsafe fn perform(
        &self,
        memory: &mut Allocations,
        settings: &DriverSettings,
    ) -> Result<(), MemoryError> {
        match self {
            StreamOperation::Fill { address, bytes, value } => {
                device(memory, *address, *bytes).fill(*value);
            }
            StreamOperation::ToDevice { address, host } => {
                // SAFETY: the caller's; nobody else touches it until the stream has been waited for, which
                // is the caller's, too.
                let from = unsafe {
                    std::slice::from_raw_parts(
                        std::ptr::with_exposed_provenance::<u8>(host.start),
                        host.len(),
                    )
                };
                device(memory, *address, host.len()).copy_from_slice(from);
            }
            StreamOperation::ToHost { address, host } => {
                // SAFETY: as above.
                let to = unsafe {
                    std::slice::from_raw_parts_mut(
                        std::ptr::with_exposed_provenance_mut::<u8>(host.start),
                        host.len(),
                    )
                };
                to.copy_from_slice(device(memory, *address, host.len()));
            }
            StreamOperation::Launch { kernel, launch, .. } => {
                if settings.lost_at_launch.is_some_and(|lost| launch.earlier_launches >= lost) {
                    return Err(MemoryError::Address);
                }
                kernel.run(launch, memory, settings)?;
            }
        }
        Ok(())
    }

    /// Whether the operation is a call of a kernel that never ends.
    pub fn hangs(&self, settings: &DriverSettings) -> bool {
        let number = match self {
            StreamOperation::Launch { launch, .. } => Some(launch.earlier_launches),
            _ => None,
        };
        number.is_some() && number == settings.hangs_at_launch
    }

    /// Whether the operation is a call of a kernel of this module.
    pub fn calls(&self, of: usize) -> bool {
        matches!(self, StreamOperation::Launch { module, .. } if *module == of)
    }

    /// Whether the operation copies from or to this address of the host.
    pub fn copies(&self, address: usize) -> bool {
        match self {
            StreamOperation::ToDevice { host, .. } | StreamOperation::ToHost { host, .. } => {
                host.start == address
            }
            _ => false,
        }
    }
}

/// Returns memory of the device that an operation uses; ends the process if it has been freed.
fn device(memory: &mut Allocations, address: u64, bytes: usize) -> &mut [u8] {
    match memory.bytes(address, bytes) {
        Some(bytes) => bytes,
        None => misuse("memory was freed before the stream that uses it was waited for"),
    }
}
