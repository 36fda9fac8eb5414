//! What the checker says when it says no.

use std::fmt;

/// What a plan, or a function written from one, must fulfil.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Obligation {
    /// What depends on an active parameter and influences an active result is active.
    Closed,
    /// What is active can be differentiated, and its type can carry a derivative.
    Differentiable,
    /// Nothing of unknown effect is given a value that varies.
    NothingUnknown,
    /// What the reverse sweep reads has a storage.
    Reads,
    /// A storage holds, where it is read, the value it names.
    Storage,
    /// The reverse sweep goes back by the edge that was taken.
    Merges,
    /// Nobody misses what the forward sweep leaves out.
    Omitted,
    /// What is overwritten each time round is recorded before.
    Records,
    /// A loop that runs again gives what it gave.
    Reruns,
    /// A loop that is counted anew ran as often as is found.
    Recounts,
    /// What a local Jacobian says of a value is what the chain rule says.
    Preaccumulated,
    /// A call that gives partial derivatives is the one that was given, and they are where they belong.
    Contracted,
    /// A strip of a loop that runs again lays what it laid.
    Strips,
    /// A pass that is reversed as soon as it has run says what it would have said later.
    Fused,
    /// A loop that is passed by on the way back would have added nothing.
    Idle,
    /// What runs twice finds what it found, and leaves memory as it was.
    Joint,
    /// A number that is kept in a shadow is still there when it is taken out.
    Rooms,
    /// A row that is copied where a loop is entered holds what its loads find.
    Rows,
    /// Parameters and results are those that the request asks for.
    Signature,
    /// What one half of split mode leaves behind, the other finds.
    Tape,
    /// The derived function is well-formed.
    WellFormed,
    /// The forward sweep computes what the primal does, in the same order.
    Forward,
    /// A cell is written where its value is computed and nowhere else.
    Cells,
    /// An adjoint starts at zero, and is zero again when it has been taken.
    Adjoints,
    /// Reverses of instructions run last to first.
    Backward,
}

/// An obligation that is not met, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub obligation: Obligation,
    pub function: String,
    /// A sentence without capital or full stop: what is violated, at which value or block.
    pub message: String,
}

impl Obligation {
    pub fn name(self) -> &'static str {
        match self {
            Obligation::Closed => "activity is closed",
            Obligation::Differentiable => "active means differentiable",
            Obligation::NothingUnknown => "nothing unknown is zero",
            Obligation::Reads => "reads are stored",
            Obligation::Storage => "storage is valid",
            Obligation::Merges => "merges are retraced",
            Obligation::Omitted => "what is left out is not missed",
            Obligation::Records => "overwritten is recorded",
            Obligation::Reruns => "what runs again gives the same",
            Obligation::Recounts => "what is counted anew is right",
            Obligation::Preaccumulated => "local Jacobians are right",
            Obligation::Contracted => "partials of calls are right",
            Obligation::Strips => "a strip that runs again lays the same",
            Obligation::Fused => "a pass that is reversed at once says the same",
            Obligation::Idle => "a loop that is passed by says nothing",
            Obligation::Joint => "what runs twice finds the same",
            Obligation::Rooms => "a shadow with room keeps what it is given",
            Obligation::Rows => "a row holds what its loads find",
            Obligation::Signature => "the signature fits the request",
            Obligation::Tape => "the tape is complete",
            Obligation::WellFormed => "the derivative is well-formed",
            Obligation::Forward => "the forward sweep is the primal",
            Obligation::Cells => "cells are written once",
            Obligation::Adjoints => "adjoints are taken and zeroed",
            Obligation::Backward => "reverses run backwards",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}: {}: {}", self.function, self.obligation.name(), self.message)
    }
}
