//! A derivative as it is written, with the plan that it is held against: right as it comes, wrong as a test makes it.

use backsweep_core::check::{Fault, Obligation, check_derived};
use backsweep_core::derive::derive;
use backsweep_core::model::{Function, Inst, ValueId};
use backsweep_core::plan::Plan;
use backsweep_core::request::Request;

use super::edit::find_all;
use super::{Case, assert_none, assert_only};

pub struct Written {
    pub case: Case,
    pub plan: Plan,
    pub derived: Function,
}

impl Written {
    pub fn of(case: Case, request: &Request) -> Written {
        let plan = case.plan(request);
        assert_none(&case.faults(&plan));
        let derived = derive(&plan, &case.function, &case.program, &case.rules, "df");
        let written = Written { case, plan, derived };
        assert_none(&written.faults());
        written
    }

    pub fn faults(&self) -> Vec<Fault> {
        check_derived(&self.plan, &self.case.function, &self.case.program, &self.case.rules, &self.derived)
    }

    pub fn reject(&self, obligation: Obligation, part: &str) {
        assert_only(&self.faults(), obligation, part);
    }

    pub fn calls(&self, name: &str) -> Vec<ValueId> {
        find_all(&self.derived, |inst| inst.callee_name() == Some(name))
    }

    pub fn find(&self, nth: usize, wanted: impl Fn(&Inst) -> bool) -> ValueId {
        find_all(&self.derived, wanted)[nth]
    }
}
