//! A child process that the suite writes to and reads from, neither of them for longer than it may take.

use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::process::{self, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::locks::lock;

use super::deadline::Deadline;
use super::failure::{Ended, Failure};
use super::start::Running;

/// Bytes that are read at a time from a child.
const CHUNK: usize = 1 << 16;
/// Number of chunks that may wait to be taken: a child that writes without end is held up.
const CHUNKS: usize = 8;
/// Number of bytes that are kept of what a child writes to standard error: the end.
const WORDS: usize = 400;
/// Time that a child may take to end by itself once its standard input is closed.
pub const FAREWELL: Duration = Duration::from_secs(2);

/// Quotes a line of a child's as it may be shown: its first 60 characters that are not control characters.
pub fn quoted(line: &str) -> String {
    let start: String = line.chars().filter(|letter| !letter.is_control()).take(60).collect();
    format!("`{start}`")
}

/// A running child process.
pub struct Child {
    /// Process of the child; `None` where only what it says is there.
    process: Option<Running>,
    /// Queue of what is to be written to the child; `None` once its standard input is closed.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    /// Recorded output that comes before the process's own, piece by piece.
    recorded: VecDeque<Vec<u8>>,
    /// Output that was read; `taken` says how much of it has been asked for.
    rest: Vec<u8>,
    taken: usize,
    words: Arc<Mutex<VecDeque<u8>>>,
    errors: Option<JoinHandle<()>>,
    /// Variant whose kernel the child holds, where it takes kernels.
    pub holds: Option<String>,
}

impl Child {
    /// Starts a command; `words` are the command and its arguments.
    ///
    /// # Errors
    /// If the command cannot be started.
    pub fn start<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Child> {
        let mut words = words.into_iter();
        let name = words.next().context("a command is missing")?;
        let mut process = Running::start(name, &words.collect::<Vec<&str>>())?;
        let (stdin, stdout, stderr) = process.streams();
        let (input, to_write) = channel();
        let (read, output) = sync_channel(CHUNKS);
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&tail);
        let spawn = |work: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new().spawn(work).context("a thread could not be started")
        };
        // Each ends when the child's end of its pipe is closed, or when nobody asks any more.
        spawn(Box::new(move || write_all(stdin, &to_write)))?;
        spawn(Box::new(move || read_all(stdout, &read)))?;
        let errors = spawn(Box::new(move || keep_tail(stderr, &kept)))?;
        Ok(Child {
            process: Some(process),
            input: Some(input),
            output,
            recorded: VecDeque::new(),
            rest: Vec::new(),
            taken: 0,
            words: tail,
            errors: Some(errors),
            holds: None,
        })
    }

    /// Makes a child without a process, from what it says once it is asked, in the pieces that it comes in. Then
    /// the child ends, and ends well.
    pub fn recorded(pieces: impl IntoIterator<Item = Vec<u8>>) -> Child {
        Child {
            process: None,
            input: None,
            output: channel().1,
            recorded: pieces.into_iter().collect(),
            rest: Vec::new(),
            taken: 0,
            words: Arc::default(),
            errors: None,
            holds: None,
        }
    }

    /// Writes to the child's standard input, without waiting until the child reads.
    pub fn write(&mut self, bytes: Vec<u8>) {
        // Whether it still reads shows when it is to answer.
        let _ = self.input.as_ref().map(|input| input.send(bytes));
    }

    /// Closes the child's standard input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Reads a line, without its end; `None` if there is none, because the child's output has ended. What is no
    /// text, or more than text to a terminal, is replaced.
    pub fn line(&mut self, deadline: &mut Deadline) -> Result<Option<String>, Failure> {
        self.line_of(CHUNK, deadline)
    }

    /// Reads a line as [`Child::line`] does, which may have `most` bytes or some more.
    pub fn line_of(&mut self, most: usize, deadline: &mut Deadline) -> Result<Option<String>, Failure> {
        let mut seen = 0;
        loop {
            let rest = &self.rest[self.taken..];
            if let Some(end) = rest[seen..].iter().position(|&byte| byte == b'\n') {
                let line = String::from_utf8_lossy(&rest[..seen + end]).into_owned();
                self.taken += seen + end + 1;
                let unfit = |letter: char| letter.is_control() && letter != '\t';
                // A program may end its lines with `\r\n`.
                return Ok(Some(line.trim_end_matches('\r').replace(unfit, "\u{fffd}")));
            }
            seen = rest.len();
            if seen > most {
                return Err(Failure::nonsense("it wrote a line without end"));
            }
            let more = self.has_more_output(deadline);
            if let (Err(late), true) = (&more, seen > 0) {
                let begun = quoted(&String::from_utf8_lossy(&self.rest[self.taken..]));
                return Err(Failure::too_late(format!(
                    "{} but {begun}, without the end of the line",
                    late.words
                )));
            }
            if !more? {
                return match seen {
                    0 => Ok(None),
                    _ => Err(self.end().failure(" in a line")),
                };
            }
        }
    }

    /// Reads as many bytes of the child's output as `into` has room for.
    pub fn bytes(&mut self, into: &mut [u8], deadline: &mut Deadline) -> Result<(), Failure> {
        let mut filled = 0;
        loop {
            let rest = &self.rest[self.taken..];
            let count = rest.len().min(into.len() - filled);
            into[filled..filled + count].copy_from_slice(&rest[..count]);
            self.taken += count;
            filled += count;
            if filled == into.len() {
                return Ok(());
            }
            let so_far = |words: &str| format!("{words} after {filled} of {} bytes", into.len());
            let more = self.has_more_output(deadline);
            if !more.map_err(|late| Failure { words: so_far(&late.words), ..late })? {
                let ended = self.end().failure("");
                return Err(Failure { words: so_far(&ended.words), ..ended });
            }
        }
    }

    /// Whether the child has written something that was not asked for.
    pub fn is_ahead(&mut self) -> bool {
        self.rest.extend(self.output.try_iter().flatten());
        self.rest.len() > self.taken
    }

    /// Whether the child has more to say at the end of a conversation; for a recorded one, whether there is more
    /// of it.
    pub fn goes_on(&mut self) -> bool {
        self.is_ahead() || !self.recorded.is_empty()
    }

    /// Waits for more output of the child, and returns whether there is any.
    fn has_more_output(&mut self, deadline: &mut Deadline) -> Result<bool, Failure> {
        let next = match self.recorded.pop_front() {
            Some(piece) => Ok(piece),
            None => deadline.wait(|time| self.output.recv_timeout(time)),
        };
        match next {
            Ok(chunk) => {
                // All of the output before was taken, so the chunk need not be copied.
                if self.taken == self.rest.len() {
                    self.rest = chunk;
                } else {
                    self.rest.drain(..self.taken);
                    self.rest.extend_from_slice(&chunk);
                }
                self.taken = 0;
                Ok(true)
            }
            Err(RecvTimeoutError::Timeout) => Err(Failure::too_late(format!("no answer in {deadline}"))),
            Err(RecvTimeoutError::Disconnected) => Ok(false),
        }
    }

    /// Waits for the child to end, ends it if it does not, and returns how it ended.
    pub fn end(&mut self) -> Ended {
        self.close();
        let look = |time: Duration| match self.ended() {
            Some(ended) => Ok(ended),
            None => {
                std::thread::sleep(time.min(Duration::from_millis(1)));
                Err(RecvTimeoutError::Timeout)
            }
        };
        Deadline::new("", FAREWELL).wait(look).unwrap_or_else(|_| self.kill())
    }

    /// Ends the child at once, and what it has started with it; returns how it ended, if it had.
    pub fn kill(&mut self) -> Ended {
        self.process.as_mut().map_or_else(ended_well, Running::stop)
    }

    /// Returns how the child ended, if it has.
    fn ended(&mut self) -> Option<Ended> {
        self.process.as_mut().map_or_else(|| Some(ended_well()), Running::ended)
    }

    /// Returns the last words that the child wrote to standard error, on one line. They are complete once it was
    /// killed.
    pub fn words(&mut self) -> String {
        if self.ended().is_some()
            && let Some(errors) = self.errors.take()
        {
            // Who has left its group may keep the pipe open.
            let start = Instant::now();
            while !errors.is_finished() && start.elapsed() < Duration::from_millis(200) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let tail = lock(&self.words);
        let bytes: Vec<u8> = tail.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines.join("; ").chars().filter(|letter| !letter.is_control()).collect()
    }
}

/// Returns the end of a child that has no process.
fn ended_well() -> Ended {
    Ended::By(ExitStatus::default())
}

impl Drop for Child {
    fn drop(&mut self) {
        self.close();
        self.kill();
    }
}

/// Writes what is queued to a child's standard input, until the queue or that is closed.
fn write_all(mut stdin: process::ChildStdin, bytes: &Receiver<Vec<u8>>) {
    for chunk in bytes {
        // The child reads no more, which shows when it is to answer.
        if stdin.write_all(&chunk).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Passes on what a child writes, until its output ends or nobody takes it.
fn read_all(mut stdout: process::ChildStdout, chunks: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; CHUNK];
    while let Ok(count @ 1..) = stdout.read(&mut buffer) {
        if chunks.send(buffer[..count].to_vec()).is_err() {
            return;
        }
    }
}

/// Keeps the end of what a child writes to standard error.
fn keep_tail(stderr: process::ChildStderr, tail: &Mutex<VecDeque<u8>>) {
    let mut stderr = BufReader::new(stderr);
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut buffer) {
        let mut tail = lock(tail);
        tail.extend(&buffer[..count]);
        let surplus = tail.len().saturating_sub(WORDS);
        tail.drain(..surplus);
    }
}
