//! What the driver is doing, on a terminal and only where it takes long.

use std::io::{self, IsTerminal, Write};
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// What is done sooner needs no word about it.
const PATIENCE: Duration = Duration::from_secs(1);
const GLANCE: Duration = Duration::from_millis(5);

/// Waits for a process, and tells what it does and for how long.
pub fn wait_telling(mut child: Child, what: &str) -> io::Result<ExitStatus> {
    let mut terminal = io::stderr();
    if !terminal.is_terminal() {
        return child.wait();
    }
    let start = Instant::now();
    let mut told = 0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let seconds = start.elapsed().as_secs();
        if start.elapsed() >= PATIENCE && seconds != told {
            // A terminal that is gone is no reason to stop.
            let _ = write!(terminal, "\r\x1b[K{what}, {seconds} s");
            let _ = terminal.flush();
            told = seconds;
        }
        thread::sleep(GLANCE);
    };
    if told > 0 {
        let _ = write!(terminal, "\r\x1b[K");
        let _ = terminal.flush();
    }
    Ok(status)
}
