//! Runs a compiler's client as a process, and exchanges messages of the protocol with it.

use anyhow::Result;
pub use implementations::process::{Child, Failure, Limits, explained};

use super::BrokenProtocol;
use super::message::{
    self, CompileOutcome, CompileRequest, Greeting, Introduction, NumberedRequest, PROTOCOL,
};

/// The largest length of a line, in bytes; PTX of this length is some thousand functions.
const LINE: usize = 16 << 20;

/// A client's process that has introduced itself.
pub struct Client {
    name: String,
    child: Child,
}

impl Client {
    /// Starts a command, and has it introduce itself.
    ///
    /// # Errors
    /// If the command cannot be started, or does not introduce itself.
    pub fn start(name: &str, words: &[String], limits: &Limits) -> Result<(Client, Introduction)> {
        let child = Child::start(words.iter().map(String::as_str))?;
        let mut client = Client { name: name.into(), child };
        let introduced = client.introduced(limits).map_err(|failure| client.broken(failure))?;
        Ok((client, introduced))
    }

    /// Greets the process, and reads its introduction.
    fn introduced(&mut self, limits: &Limits) -> Result<Introduction, Failure> {
        self.child.write(line(&Greeting { protocol: PROTOCOL }));
        let deadline = &mut limits.start_deadline();
        match self.child.line_of(LINE, deadline)? {
            Some(line) => message::introduction(&line),
            None => Err(self.child.end().failure("")),
        }
    }

    /// Sends requests to the process, and returns the outcome of each, in their order.
    ///
    /// # Errors
    /// If the process ends, is late, or does not answer each request once.
    pub fn compile(
        &mut self,
        requests: &[CompileRequest],
        limits: &Limits,
    ) -> Result<Vec<CompileOutcome>, BrokenProtocol> {
        self.answers(requests, limits).map_err(|failure| self.broken(failure))
    }

    /// Sends requests, and reads their answers, which may come in any order.
    fn answers(
        &mut self,
        requests: &[CompileRequest],
        limits: &Limits,
    ) -> Result<Vec<CompileOutcome>, Failure> {
        if self.child.is_ahead() {
            return Err(Failure::nonsense("it wrote more than it was asked for"));
        }
        // All are sent before an answer is read. Threads of the child serve its pipes, so neither side blocks the
        // other.
        for (id, request) in requests.iter().enumerate() {
            self.child.write(line(&NumberedRequest { id, request }));
        }
        let mut outcomes = vec![None; requests.len()];
        for answered in 0..requests.len() {
            let Some(line) = self.child.line_of(LINE, &mut limits.answer_deadline())? else {
                let of = format!(" after {answered} of {} answers", requests.len());
                return Err(self.child.end().failure(&of));
            };
            let (id, outcome) = message::answer(&line)?;
            match outcomes.get_mut(id) {
                Some(place @ None) => *place = Some(outcome),
                Some(_) => return Err(Failure::nonsense(format!("it answered request {id} twice"))),
                None => {
                    return Err(Failure::nonsense(format!(
                        "it answered request {id}, of {} counted from 0",
                        requests.len()
                    )));
                }
            }
        }
        // None is left: so many answers came, and none of them twice.
        Ok(outcomes.into_iter().flatten().collect())
    }

    /// Ends the process after a failure, and returns the failure as an error.
    fn broken(&mut self, failure: Failure) -> BrokenProtocol {
        let Failure { kind, words, .. } = explained(&mut self.child, failure);
        BrokenProtocol { name: self.name.clone(), kind, words }
    }
}

impl Drop for Client {
    /// Ends the process. A client that waits for requests ends by itself, and removes the files that it has made.
    fn drop(&mut self) {
        self.child.end();
    }
}

/// Returns a message as the line that is sent.
fn line(message: &impl serde::Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("texts and numbers are JSON");
    line.push(b'\n');
    line
}
