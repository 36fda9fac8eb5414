//! The rows of the planner's own operation: a number under a derivative that a local Jacobian says.
//!
//! They stand in no table: nobody writes programs with them, and they have no difference quotient, for what they say is not
//! what they compute. That the factors are right is proved of each plan (`check/preaccumulated`).

use super::row::write::{REAL, edge, general, unary};
use super::row::{Entry, Row, TableError};
use crate::model::Link;

#[derive(Clone, Debug)]
pub struct Links {
    start: Row,
    term: Row,
    guarded: Row,
}

const ANY: &[f64] = &[1.0];
const TERM: &[&str] = &["d", "0", "d * x1"];
const KINDS: &[super::OperandKind] = &[REAL, REAL, REAL];

const START: Entry = unary("detach", "y = x, and no derivative", &["0"]).at(&[ANY]);
const PLAIN: Entry =
    general("attach", "y = x0, and x1 dx2 more in its derivative", KINDS, &[REAL], TERM).at(&[ANY, ANY, ANY]);
const GUARDED: Entry =
    general("attach_guarded", "the same, guarded", KINDS, &[REAL], TERM).at(&[ANY, ANY, ANY]).singular(
        "The factor holds a partial that may be infinite.",
        &[edge(&[0.0, INF, 0.0], &[1.0, 0.0, INF])],
    );

const INF: f64 = f64::INFINITY;

impl Links {
    pub fn new() -> Result<Links, TableError> {
        Ok(Links { start: Row::new(&START)?, term: Row::new(&PLAIN)?, guarded: Row::new(&GUARDED)? })
    }

    pub fn row(&self, link: Link) -> &Row {
        match link {
            Link::Start => &self.start,
            Link::Term { guarded: false } => &self.term,
            Link::Term { guarded: true } => &self.guarded,
        }
    }
}
