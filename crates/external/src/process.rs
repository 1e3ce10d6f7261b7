//! A running program: nothing here waits longer than it is told to, whatever the program does.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The longest line that is read.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// How much of what the program says on its standard error is kept.
const KEPT_ERRORS: usize = 4096;

/// Lines that may wait to be heard; a program that says more has to wait itself.
const WAITING_LINES: usize = 4;

/// How often a program that is to end is looked at.
const GLANCE: Duration = Duration::from_millis(2);

/// What came from the program.
pub(crate) enum Heard {
    /// A line, and whether the beginning of another one came with it.
    Line { text: String, more: bool },
    /// A line that is not UTF-8.
    NotText,
    /// A line longer than [`LONGEST_LINE`].
    TooLong,
    /// The end of its output.
    Closed,
}

/// A program that was started and is ended with this value.
pub(crate) struct Process {
    child: Child,
    /// Lines to be said; a thread says them, since a program that does not listen would hold us up.
    say: Option<Sender<String>>,
    hear: Receiver<Heard>,
    errors: Arc<Mutex<Vec<u8>>>,
    error_reader: JoinHandle<()>,
    ended: Option<ExitStatus>,
}

/// What opens the server of a cluster is named so.
const SECRETS: &str = "NATS_";

/// The command of these words, where variables of these names are set: no secret is for a program from outside.
fn command(words: &[String], names: impl Iterator<Item = OsString>) -> Option<Command> {
    let (program, arguments) = words.split_first()?;
    let mut command = Command::new(program);
    command.args(arguments);
    for name in names.filter(|name| name.to_string_lossy().starts_with(SECRETS)) {
        command.env_remove(name);
    }
    Some(command)
}

impl Process {
    /// Starts a program, in a group of its own: an interruption at the terminal is for us, and what
    /// the program starts in turn can be ended with it.
    pub(crate) fn start(words: &[String]) -> io::Result<Self> {
        let names = std::env::vars_os().map(|(name, _)| name);
        let mut command = command(words, names).ok_or(io::ErrorKind::InvalidInput)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (input, output) = input.zip(output).ok_or(io::ErrorKind::BrokenPipe)?;
        let error_output = child.stderr.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (say, to_say) = mpsc::channel();
        let (heard, hear) = mpsc::sync_channel(WAITING_LINES);
        let errors = Arc::new(Mutex::new(Vec::new()));
        let kept = errors.clone();
        let start = |work: Box<dyn FnOnce() + Send>| thread::Builder::new().spawn(work);
        let threads = start(Box::new(move || write_lines(input, &to_say)))
            .and_then(|_| start(Box::new(move || read_lines(output, &heard))))
            .and_then(|_| start(Box::new(move || keep_last(error_output, &kept))));
        let error_reader = threads.inspect_err(|_| {
            // It was started for nothing.
            let _ = child.kill();
            let _ = child.wait();
        })?;
        Ok(Self { child, say: Some(say), hear, errors, error_reader, ended: None })
    }

    /// Says a line, without waiting until it is heard.
    pub(crate) fn say(&self, line: String) {
        if let Some(say) = &self.say {
            // Nobody there: what the program says, or does not say, will tell.
            let _ = say.send(line);
        }
    }

    /// What comes within this time.
    pub(crate) fn hear(&self, within: Duration) -> Option<Heard> {
        match self.hear.recv_timeout(within) {
            Ok(heard) => Some(heard),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Heard::Closed),
        }
    }

    /// Closes the program's input and gives it this time to end; then it is ended, with all that it
    /// started. Says how it ended by itself, if it did.
    pub(crate) fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        self.say = None;
        if self.ended.is_some() {
            return self.ended;
        }
        let mut waited = Duration::ZERO;
        let by_itself = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if waited < grace => thread::sleep(GLANCE),
                _ => break None,
            }
            waited += GLANCE;
        };
        self.kill_group();
        if by_itself.is_none() {
            // Neither can fail in a way that could be mended.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        self.ended = Some(by_itself.unwrap_or_default());
        by_itself
    }

    #[cfg(unix)]
    fn kill_group(&self) {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;
        if let Ok(group) = i32::try_from(self.child.id()) {
            // A group that has no members any more is what we want.
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }

    #[cfg(not(unix))]
    fn kill_group(&self) {}

    /// The last line on the standard error of a program that has ended; empty if there is none.
    pub(crate) fn last_words(&self) -> String {
        // What was written last may still be on its way.
        for _ in 0..50 {
            if self.error_reader.is_finished() {
                break;
            }
            thread::sleep(GLANCE);
        }
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("").to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Says lines until there are no more or nobody listens; then closes the input.
fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until there are no more, one is against the rules, or nobody listens.
fn read_lines(output: ChildStdout, heard: &SyncSender<Heard>) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    loop {
        let mut line = Vec::new();
        let most = LONGEST_LINE as u64 + 1;
        let read = output.by_ref().take(most).read_until(b'\n', &mut line);
        let next = match read {
            Err(_) | Ok(0) => Heard::Closed,
            Ok(_) if line.len() > LONGEST_LINE => Heard::TooLong,
            Ok(_) => match String::from_utf8(line) {
                Ok(text) => Heard::Line { text, more: !output.buffer().is_empty() },
                Err(_) => Heard::NotText,
            },
        };
        let last = !matches!(next, Heard::Line { .. });
        if heard.send(next).is_err() || last {
            return;
        }
    }
}

/// Reads everything, so that the program never waits for us, and keeps the end of it.
fn keep_last(mut output: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = output.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let surplus = kept.len().saturating_sub(KEPT_ERRORS);
        kept.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_program_hears_the_secrets_of_a_cluster() {
        let words = ["engine".to_owned(), "--fast".to_owned()];
        let names = ["PATH", "NATS_PASSWORD", "NATS_TOKEN"].map(OsString::from);
        let command = command(&words, names.into_iter()).unwrap();
        let removed: Vec<_> =
            command.get_envs().map(|(name, value)| (name.to_str(), value)).collect();
        assert_eq!(removed, [(Some("NATS_PASSWORD"), None), (Some("NATS_TOKEN"), None)]);
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["--fast"]);
    }
}
