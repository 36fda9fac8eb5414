//! Does the reverse of an iteration read what other iterations have made? Where it does not, a loop could be reversed
//! iteration by iteration, with nothing recorded between them.

use std::collections::BTreeSet;

use super::{Obstacle, ObstacleKind, Subject, elements, words};
use crate::analyses::adjoint::study::{Reruns, Setting, Study};
use crate::analyses::linearity::callee::Linearity;
use crate::analyses::linearity::carried::{Carried, CarriedNeed, find_carried_needs, needs_of_loop};
use crate::analyses::summarise::Bodies;
use crate::model::{LoopId, Op};

/// What the iterations of one loop need of each other.
pub struct Crossings {
    pub of: LoopId,
    pub needs: Vec<CarriedNeed>,
}

/// Larger functions are not looked at: each loop is followed for itself.
const MOST_INSTRUCTIONS: usize = 4000;
const MOST_LOOPS: usize = 40;

/// More of one loop than these say nothing new.
const MOST_TOLD: usize = 3;

pub fn find_crossings(subject: &Subject) -> Vec<Crossings> {
    let function = subject.function;
    let small = function.insts.len() <= MOST_INSTRUCTIONS && function.loops.len() <= MOST_LOOPS;
    if !small || !subject.plan.request.mode.is_reverse() {
        return Vec::new();
    }
    let bodies = Bodies::of(subject.program, subject.rules, &function.name);
    let linearity = Linearity::of(&bodies);
    let Some(ground) = linearity.ground(&function.name) else { return Vec::new() };
    let study = Study::of(&bodies, Reruns::WherePossible);
    let setting = Setting::of_request(subject.program, function, &subject.plan.request);
    let ids: Vec<LoopId> = (0..function.loops.len() as u32).map(LoopId).collect();
    let needs = study.facts(&function.name, &setting, &BTreeSet::new(), &mut |facts| {
        ids.iter().map(|of| needs_of_loop(&ground, facts.uses, *of)).collect::<Vec<_>>()
    });
    let needs = needs.unwrap_or_default().into_iter();
    let found = ids.iter().zip(needs).map(|(of, needs)| Crossings {
        of: *of,
        needs: find_carried_needs(&ground, &subject.dependences, *of, needs),
    });
    found.collect()
}

/// One obstacle for each way in which something crosses, at the instruction that reads it.
pub fn describe(subject: &Subject, found: &Crossings) -> Vec<Obstacle> {
    let mut told = BTreeSet::new();
    let new = found.needs.iter().filter(|need| told.insert(need.carried));
    new.take(MOST_TOLD).map(|need| describe_need(subject, found.of, need)).collect()
}

fn describe_need(subject: &Subject, of: LoopId, need: &CarriedNeed) -> Obstacle {
    let element = |access| elements::name_element(subject, access).unwrap_or_else(|| "it".into());
    let needed = format!("the reverse of an iteration reads {}", words::name_inst(subject, need.value));
    let (text, remedy) = match need.carried {
        Carried::Register(phi) => (
            match need.value == phi {
                true => format!("{needed} ({})", words::name_line(subject, phi)),
                false => format!(
                    "{needed}, which is made from the value that the iteration before hands on ({})",
                    words::name_line(subject, phi)
                ),
            },
            "compute it from the loop's counter instead of from the iteration before, if that can be done",
        ),
        Carried::Memory { write, read } => (
            format!(
                "{needed}, which is made from what another iteration has left in {} ({} writes {}, {} reads {})",
                subject
                    .function
                    .inst(read)
                    .filter(|inst| matches!(inst.op, Op::Load(_)))
                    .map_or("memory".into(), |inst| words::name_memory(subject, &inst.operands[0])),
                words::name_line(subject, write),
                element(write),
                words::name_line(subject, read),
                element(read)
            ),
            "where the iterations do not really build on each other, write to an array of its own, or declare the \
             pointers `restrict`",
        ),
    };
    let at = words::place_of(subject, need.reader);
    Obstacle { at, of: Some(of), kind: ObstacleKind::Crossing, text, remedy: Some(remedy.into()) }
}
