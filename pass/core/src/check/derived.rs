//! stub
use super::Fault;
use crate::model::{Function, Program};
use crate::plan::Plan;
pub fn check_derived(
    _plan: &Plan,
    _function: &Function,
    _program: &Program,
    _derived: &Function,
) -> Vec<Fault> {
    Vec::new()
}
