//! From straight-line code to graphs (algorithm 2 of *Flattening basic blocks*), on the model.
//!
//! ```text
//! function ──find_regions──▶ regions ──read──▶ steps ──split──▶ parts ──▶ one graph each
//! ```
//!
//! Invariant: a graph's reverse, run where the reverse of its steps would run, is theirs: the adjoints of its outputs
//! are taken, the last first, and then every input gets what the Jacobian says.

mod code;
mod flattened;
mod known;
mod partial;
mod places;
mod region;
mod regular;
mod split;
mod uses;

pub use code::{Action, Apart, Cells, Code, Relation, Source, Step, Value};
pub use flattened::{Flattened, Output, What, flatten_part};
pub use known::Known;
pub use partial::{Partial, cost_of, partial_of};
pub use places::Places;
pub use region::{Reader, Region, find_regions};
pub use split::{Part, is_ambiguous, split_contiguous, split_layered};
pub use uses::Uses;

use crate::analyses::flow::Flow;

/// The graphs of one region, in the order in which they run.
#[derive(Clone, Debug)]
pub struct Flat {
    pub region: Region,
    pub code: Code,
    pub graphs: Vec<Flattened>,
}

/// How a region is taken apart where memory is unclear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    Contiguous,
    Layered,
}

/// The graphs of every region of a function in which something is computed.
pub fn flatten_function(reader: &Reader, split: Split) -> Vec<Flat> {
    flatten_function_with(reader, split, None)
}

/// The same with another answer to how memory cells lie to each other.
pub fn flatten_function_with(reader: &Reader, split: Split, cells: Option<&dyn Cells>) -> Vec<Flat> {
    let flow = Flow::of(reader.function);
    let uses = Uses::of(reader, &flow);
    let places = Places::of(reader.function, &reader.program.layout);
    let flat = |region: Region| {
        let code = reader.read(&region, &uses);
        flatten_code(region, code, cells.unwrap_or(&places), split)
    };
    let flats = find_regions(reader.function, &flow).into_iter().map(flat);
    flats.filter(Flat::computes).collect()
}

impl Flat {
    fn computes(&self) -> bool {
        self.code.steps.iter().any(|step| step.action == Action::Compute)
    }
}

fn flatten_code(region: Region, code: Code, cells: &dyn Cells, split: Split) -> Flat {
    let known = Known::of(&code, cells);
    let parts = match split {
        Split::Contiguous => split_contiguous(&known),
        Split::Layered => split_layered(&known),
    };
    let graphs = parts.iter().map(|part| flatten_part(&known, part)).collect();
    Flat { region, graphs, code }
}
