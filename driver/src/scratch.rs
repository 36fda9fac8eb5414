//! A directory for intermediate files that is gone when the driver is, however it ends.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};

use crate::refusal::{Code, Refusal};

pub struct Scratch {
    directory: PathBuf,
    keeper: Option<Child>,
}

impl Scratch {
    pub fn create() -> Result<Scratch, Refusal> {
        let refuse = |error| {
            Refusal::new(Code::Writing, format!("cannot create a directory for intermediate files: {error}"))
        };
        // `create_dir` fails on what exists, so nobody else's directory is ever used or removed.
        for attempt in 0..100 {
            let directory = env::temp_dir().join(format!("backsweep-{}-{attempt}", process::id()));
            match fs::create_dir(&directory) {
                Ok(()) => return Ok(Scratch { keeper: start_keeper(&directory), directory }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(refuse(error)),
            }
        }
        Err(refuse(std::io::ErrorKind::AlreadyExists.into()))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

/// A shell that sleeps until the driver closes its end of a pipe, which it does by ending, also by Ctrl-C or `kill -9`, and
/// then removes the directory. It does not hear the Ctrl-C itself.
fn start_keeper(directory: &Path) -> Option<Child> {
    let script = "trap '' INT TERM HUP; read -r line; rm -rf \"$1\"";
    Command::new("/bin/sh")
        .args(["-c", script, "backsweep-scratch"])
        .arg(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that stays behind in /tmp is no reason to fail after the answer was printed.
        let _ = fs::remove_dir_all(&self.directory);
        if let Some(mut keeper) = self.keeper.take() {
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        }
    }
}
