//! The dependences of a program as text: stable, one line a pair, one line a loop.
//!
//! ```text
//! nest f.loop1 at a.c:3:5
//!   a.c:4:12 load %8 -> a.c:4:10 store %11: flow [1] by strong SIV; breaks if n >= l
//!   loop f.loop1 at a.c:3:5: carried by flow a.c:4:10 -> a.c:4:12
//! ```

use std::fmt::{self, Write};

use super::finding::{Edge, Finding, Pair};
use super::nest::{Carrier, Dependences, Verdict, find_dependences};
use crate::model::{LoopId, Program, ValueId};

/// What `print<backsweep-dependence>` prints.
pub fn describe_dependence(program: &Program) -> String {
    let mut text = String::new();
    for function in program.functions.iter().filter(|function| !function.loops.is_empty()) {
        let found = find_dependences(program, function);
        // Writing to a string cannot fail.
        let _ = write!(text, "{}", Report { program, found: &found });
    }
    text
}

pub struct Report<'a> {
    pub program: &'a Program,
    pub found: &'a Dependences<'a>,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "function @{}", self.found.function.name)?;
        if self.found.capped {
            writeln!(f, "  too many pairs of accesses: nothing is tested, every loop counts as carrying")?;
        }
        let roots = self.found.function.loops.iter().enumerate().filter(|(_, at)| at.parent.is_none());
        for (root, _) in roots {
            self.print_nest(f, LoopId(root as u32))?;
        }
        Ok(())
    }
}

impl Report<'_> {
    fn print_nest(&self, f: &mut fmt::Formatter<'_>, root: LoopId) -> fmt::Result {
        writeln!(f, "nest {}", self.name_loop(root))?;
        for pair in self.found.pairs.iter().filter(|pair| pair.common.first() == Some(&root)) {
            writeln!(f, "  {}", self.describe_pair(pair))?;
        }
        for at in 0..self.found.function.loops.len() as u32 {
            if self.root_of(LoopId(at)) == root {
                let verdict = self.describe_verdict(&self.found.verdicts[at as usize]);
                writeln!(f, "  loop {}: {verdict}", self.name_loop(LoopId(at)))?;
            }
        }
        Ok(())
    }

    fn root_of(&self, mut of: LoopId) -> LoopId {
        while let Some(parent) = self.found.function.loops[of.0 as usize].parent {
            of = parent;
        }
        of
    }

    pub fn describe_pair(&self, pair: &Pair) -> String {
        let mut text = format!("{} -> {}: ", self.name_access(pair.first), self.name_access(pair.second));
        match &pair.finding {
            Finding::Independent { by } => text += &format!("independent by {by}"),
            Finding::Dependent { by } => text += &format!("{} by {by}", self.describe_edges(pair)),
            Finding::Unknown { reason } => {
                text += &format!("unknown {}: {reason}", self.describe_edges(pair));
            }
        }
        if let Some(breaking) = &pair.breaking {
            text += &format!("; {breaking}");
        }
        text
    }

    /// The dependence in the order of the line; one in the other order says so.
    fn describe_edges(&self, pair: &Pair) -> String {
        let part = |edge: &Edge| {
            let back = if edge.from == pair.first { "" } else { "backward " };
            format!("{back}{} {}", edge.kind, edge.vector)
        };
        let parts: Vec<String> = pair.edges.iter().map(part).collect();
        parts.join(" and ")
    }

    fn describe_verdict(&self, verdict: &Verdict) -> String {
        match verdict {
            Verdict::Parallel => "parallel".into(),
            Verdict::Vectorisable { width, carried } => {
                let width = width.map_or(String::new(), |width| format!(" up to {width}"));
                format!("vectorisable{width}, carried by {}", self.describe_carriers(carried))
            }
            Verdict::Carried(carried) => format!("carried by {}", self.describe_carriers(carried)),
        }
    }

    fn describe_carriers(&self, carriers: &[Carrier]) -> String {
        let part = |carrier: &Carrier| match carrier {
            Carrier::Memory { pair, kind, unknown } => {
                let pair = &self.found.pairs[*pair];
                let edge = pair.edges.iter().find(|edge| edge.kind == *kind);
                let (from, to) = edge.map_or((pair.first, pair.second), |edge| (edge.from, edge.to));
                let unknown = if *unknown { "unknown " } else { "" };
                format!("{unknown}{kind} {} -> {}", self.name_access(from), self.name_access(to))
            }
            Carrier::Register(id) => format!("the value %{} of the iteration before", id.0),
            Carrier::Ordered(id) => format!("the ordered access {}", self.name_inst(*id)),
            Carrier::Control => "the decision whether there is a next iteration".into(),
            Carrier::TooManyPairs => "too many pairs to test".into(),
        };
        let parts: Vec<String> = carriers.iter().map(part).collect();
        parts.join(", ")
    }

    pub fn name_loop(&self, of: LoopId) -> String {
        let function = self.found.function;
        let header = function.loops[of.0 as usize].header;
        let loc = function.terminator(header).and_then(|id| function.inst(id)).and_then(|inst| inst.loc);
        let place = loc.map_or(String::new(), |loc| format!(" at {}", self.program.describe_loc(loc)));
        format!("{}.{}{place}", function.name, of.0)
    }

    pub fn name_access(&self, at: usize) -> String {
        self.name_inst(self.found.accesses.list[at].inst)
    }

    fn name_inst(&self, id: ValueId) -> String {
        let inst = self.found.function.inst(id);
        let loc = inst.and_then(|inst| inst.loc).map(|loc| format!("{} ", self.program.describe_loc(loc)));
        let fact = self.found.function.memory.get(&id);
        let verb = match fact.map(|fact| (fact.pointer.is_some(), fact.reads, fact.writes)) {
            Some((true, true, false)) => "load",
            Some((true, false, true)) => "store",
            Some((true, true, true)) => "update",
            _ => "call",
        };
        format!("{}{verb} %{}", loc.unwrap_or_default(), id.0)
    }
}
