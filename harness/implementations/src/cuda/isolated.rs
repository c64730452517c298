//! A driver in a process of its own, for a stand-in for NVIDIA's driver that may take its process with it. It is
//! then an emulator like others: which variants it has is found by trying it.

use anyhow::{Context, Result};
use formats::Column;
use ptx::LaunchShape;

use super::Cuda;
use super::gpu::{Interface, LoadedKernel};
use super::request::DeviceRequest;
use super::stream::Stream;
use crate::process::Limits;
use crate::ptx_emulator::{Backend, PtxEmulator, converse};

/// Starts a device in a process that answers for it.
///
/// # Errors
/// If the device's driver does not start.
pub(super) fn start(request: DeviceRequest) -> Result<PtxEmulator> {
    let limits = Limits { deadline: request.deadline, ..Limits::default() };
    let within = DeviceRequest { isolated: false, ..request };
    PtxEmulator::start_own(&request.name(), &["--driver", &within.name()], limits)
}

/// Answers for a device until standard input ends.
///
/// # Errors
/// If the device does not start or cannot go on, or the suite sends what is not of the protocol.
pub fn serve(name: &str) -> Result<()> {
    // The device lives out here, because the stream that `converse` keeps borrows it.
    let mut cuda = None;
    converse(|| {
        let cuda: &Cuda = cuda.insert(Cuda::open(&DeviceRequest::read(name)?)?);
        Ok(IsolatedDevice { cuda, stream: Stream::of(&cuda.gpu)?, kernel: None })
    })
}

struct IsolatedDevice<'a> {
    cuda: &'a Cuda,
    stream: Stream<'a>,
    kernel: Option<LoadedKernel>,
}

impl IsolatedDevice<'_> {
    /// Returns what is said of an error. Where nothing runs any more this process ends, and with it what it has
    /// of the device.
    fn survived(&mut self, error: anyhow::Error) -> Result<Option<String>> {
        let words = format!("{error:#}");
        self.stream.idle(self.cuda.idle).map(|()| Some(words)).map_err(|_| error)
    }
}

impl Backend for IsolatedDevice<'_> {
    fn name(&self) -> String {
        let identity = self.cuda.gpu.identity();
        format!("{}, driver {}", identity.name, identity.driver)
    }

    fn load(&mut self, module: &str, entry: &str) -> Result<Option<String>> {
        let interface = Interface {
            name: entry.to_owned(),
            // `run_over` takes the columns as they come, so the interface names none.
            results: Vec::new(),
            operands: Vec::new(),
            group: LaunchShape::ROWS,
        };
        self.kernel = None;
        match self.cuda.gpu.load(module, &[interface], self.cuda.kernels.level) {
            Ok(Ok(functions)) => {
                self.kernel = functions.first().copied();
                Ok(None)
            }
            Ok(Err(said)) => Ok(Some(said)),
            Err(error) => self.survived(error),
        }
    }

    fn run(&mut self, columns: &mut [Column], results: usize) -> Result<Option<String>> {
        let kernel = self.kernel.context("no kernel is loaded")?;
        match self.stream.run_over(kernel, columns, results) {
            Ok(()) => Ok(None),
            Err(error) => self.survived(error),
        }
    }
}
