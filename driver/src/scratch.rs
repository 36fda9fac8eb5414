//! A directory for intermediate files that is gone when the driver is done.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use crate::refusal::Refusal;

pub struct Scratch {
    directory: PathBuf,
}

impl Scratch {
    pub fn create() -> Result<Scratch, Refusal> {
        let refuse =
            |error| Refusal::new(format!("cannot create a directory for intermediate files: {error}"));
        // `create_dir` fails on what exists, so nobody else's directory is ever used or removed.
        for attempt in 0..100 {
            let directory = env::temp_dir().join(format!("backsweep-{}-{attempt}", process::id()));
            match fs::create_dir(&directory) {
                Ok(()) => return Ok(Scratch { directory }),
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

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that stays behind in /tmp is no reason to fail after the answer was printed.
        let _ = fs::remove_dir_all(&self.directory);
    }
}
