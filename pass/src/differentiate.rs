//! Answers every request of a module: the five stages for each, and what to do where one says no.

mod bytes;
mod describe;
mod interfaces;
mod kept;
mod reach;
mod shared;
mod weighed;
mod wrappers;
mod written;

pub use describe::{describe_plans, explain_plans};

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use backsweep_core::check::{Fault, check_all_halves, check_derived, check_plan};
use backsweep_core::config::{Config, Switch};
use backsweep_core::derive::derive;
use backsweep_core::model::{Function, Layout, Program};
use backsweep_core::plan::{Plan, Refused, Slot, Variant, make_plans};
use backsweep_core::refusal::{Code, Refusal};
use backsweep_core::request::{Hook, HookCall, Mode, Request, parse_batch, parse_request};
use backsweep_core::rules::Rules;

use crate::constant_hooks::{
    answer_shadow, answer_size, drop_type_hints, returning_by_value, taking_by_value,
};
use crate::descriptors::settle_functions;
use crate::emit::{
    call_inactive, declare_function, emit_callees, emit_function, replace_batch, replace_hook,
};
use crate::extract::{Extraction, extract_functions, extract_prepared};
use crate::known::Known;
use crate::llvm::{Module, Value, llvm, shim};
use crate::prepare::{Prepared, prepare_all};
use crate::remarks::remark_plans;
use crate::report::{refuse_function, refuse_request};
use crate::requests::{
    HookSite, Targets, define_markers, find_sites, find_targets, mark_structs, specialise,
};
use crate::stage::Stage;
use crate::trampolines::closure_of;

use kept::Kept;
use reach::{contains_request, is_nested, may_be_of_one, reachable_functions};
use shared::Shared;
use weighed::{Asked, Attempt};
use wrappers::open_slots;
use written::Written;

/// One run over one module.
pub struct Differentiation {
    module: Module,
    context: *mut shim::Context,
    stage: Stage,
    config: Config,
    known: Known,
    /// Derivative functions made so far, by the function and the variant asked for.
    made: HashMap<(Value, String), Made>,
    /// What was told about functions: one that several requests share is refused once.
    told: HashSet<(Value, Refusal)>,
    /// How many calls were inlined beside hooks.
    opened: usize,
    kept: RefCell<Kept>,
    written: Written,
    shared: Shared,
}

#[derive(Clone)]
struct Made {
    model: Function,
    function: Value,
    slots: Vec<Slot>,
}

/// How a request ended.
enum Outcome {
    Done,
    /// Left for a later stage of the host's pipeline, or for the linker.
    Kept,
    Refused,
    /// The operands do not fit the function.
    Unread(Vec<Refusal>),
}

/// Answers what can be answered at this stage. Returns whether the module changed.
pub fn differentiate_module(
    module: Module,
    context: *mut shim::Context,
    stage: Stage,
    config: Config,
) -> bool {
    // Another file of the link may ask for derivatives of what is here.
    let linked = stage == Stage::Start && llvm!(shim::bs_shim_is_before_full_link(module.0));
    if linked {
        Known::keep_whole(module);
    }
    let told = drop_type_hints(module);
    let sites = find_sites(module);
    if sites.is_empty() {
        return linked || told;
    }
    mark_structs(module, &sites);
    llvm!(shim::bs_shim_mend_shifts(module.0));
    assert!(config.panic == Switch::Off, "the option `panic` asked for this");
    let known = Known::of(module, context).with(&config);
    let mut run = Differentiation {
        module,
        context,
        stage,
        config,
        known: Known { as_written: stage.is_as_written(), ..known },
        made: HashMap::new(),
        told: HashSet::new(),
        opened: 0,
        kept: RefCell::default(),
        written: Written::of(is_nested(&sites)),
        shared: Shared::default(),
    };
    run.known.report(module);
    run.known.mark_numbers(module);
    if is_nested(&sites) {
        run.config = run.config.for_nested();
        run.known.strategies.leave_unheeded();
    }
    run.answer_all(sites);
    run.written.clean_up_all(context);
    settle_functions(module, context);
    define_markers(module);
    llvm!(shim::bs_shim_forget_analyses(context, module.0));
    true
}

/// Whether a request is answered by one function. The halves of split mode have to be of one mind about calls.
fn is_whole(mode: Mode) -> bool {
    matches!(mode, Mode::Gradient | Mode::Tangent)
}

impl Differentiation {
    /// Requests inside functions that other requests differentiate come first.
    fn answer_all(&mut self, sites: Vec<HookSite>) {
        let mut waiting = sites;
        while !waiting.is_empty() {
            let next = (0..waiting.len()).find(|at| !contains_request(&waiting[*at], &waiting)).unwrap_or(0);
            let site = waiting.remove(next);
            let next = self.function_told(&site);
            let awaited = waiting.iter().any(|other| may_be_of_one(&site, other));
            self.kept.get_mut().expect(self.context, (&site, next), awaited);
            self.answer(site, &mut waiting);
        }
        self.kept.get_mut().drop_all(self.context);
    }

    /// The function that is to be differentiated, where it is told which.
    fn function_told(&self, site: &HookSite) -> Option<Value> {
        let asked = matches!(site.hook, Hook::Derivative(_)).then(|| self.find_function(site));
        match asked {
            Some(Targets::One(function)) => Some(returning_by_value(self.module, function)),
            _ => None,
        }
    }

    fn answer(&mut self, site: HookSite, waiting: &mut Vec<HookSite>) {
        let mode = match site.hook {
            Hook::Derivative(mode) => Some(mode),
            Hook::Inactive | Hook::ShadowOfFunction | Hook::Batch => None,
            Hook::TapeSize => return self.settle(&site, answer_size(&site)),
            Hook::Unknown => {
                let message = format!(
                    "unknown hook {}; the hooks are __backsweep_gradient, __backsweep_tangent, \
                     __backsweep_augmented and __backsweep_reverse",
                    site.call.callee().name()
                );
                return self.refuse(&site, Code::UnknownHook, message);
            }
        };
        match self.find_function(&site) {
            Targets::One(function) => {
                let outcome = match mode {
                    Some(mode) => self.answer_one(&site, mode, function),
                    None if site.hook == Hook::ShadowOfFunction => {
                        self.settle(&site, answer_shadow(&site, function));
                        Outcome::Done
                    }
                    None if site.hook == Hook::Batch => self.answer_batch(&site, function),
                    None => self.answer_inactive(&site, function),
                };
                match outcome {
                    Outcome::Done | Outcome::Refused => {}
                    Outcome::Kept => self.keep(&site),
                    Outcome::Unread(_) if self.look_further(&site, waiting) => {}
                    Outcome::Unread(refusals) => {
                        refuse_request(&site, &refusals);
                        site.drop_refused();
                    }
                }
            }
            Targets::Several(functions) => {
                waiting.splice(0..0, specialise(self.module, &site, &functions, site.hook));
            }
            Targets::Unknown if self.look_further(&site, waiting) => {}
            Targets::Unknown if self.stage.may_resolve(Code::NoFunction) => {
                self.keep(&site);
            }
            Targets::Unknown => {
                let hook = site.call.callee().name();
                let message = match site.function_operand().and_then(closure_of) {
                    Some(name) => format!(
                        "no function given: the first argument of {hook} is the internal procedure `{name}` together with the \
                         variables of its host that it uses; declare these variables in a module, or pass them as arguments"
                    ),
                    None => format!(
                        "no function given: the first argument of {hook} is not a function known at compile time; write \
                         {hook}(f, …) with the name of a function, or let the call be inlined where the function is named"
                    ),
                };
                self.refuse(&site, Code::NoFunction, message);
            }
        }
    }

    /// Leaves a request for a later stage, which has to find the program as it is.
    fn keep(&self, site: &HookSite) {
        self.stage.protect(self.module, site);
        Known::keep_whole(self.module);
    }

    /// Front ends without optimisation pass the function through a stack slot, which our own passes see through.
    fn find_function(&self, site: &HookSite) -> Targets {
        let Some(operand) = site.function_operand() else { return Targets::Unknown };
        match find_targets(operand) {
            Targets::Unknown => {
                open_slots(self.context, site.function());
                site.function_operand().map_or(Targets::Unknown, find_targets)
            }
            found => found,
        }
    }

    fn refuse(&self, site: &HookSite, code: Code, message: String) {
        refuse_request(site, &[Refusal::new(code, message)]);
        site.drop_refused();
    }

    /// A hook that was answered with what it stands for, or is not as it should be.
    fn settle(&self, site: &HookSite, answered: Result<(), String>) {
        if let Err(problem) = answered {
            let message = format!("{}: {problem}", site.call.callee().name());
            self.refuse(site, Code::WrongResultType, message);
        }
    }

    /// The call that was asked for, marked so that no derivative goes through it.
    fn answer_inactive(&self, site: &HookSite, function: Value) -> Outcome {
        match call_inactive(self.module, site, function) {
            Ok(()) => Outcome::Done,
            Err(problem) => {
                let message = format!("{} of `{}`: {problem}", site.call.callee().name(), function.name());
                self.refuse(site, Code::WrongArgumentType, message);
                Outcome::Refused
            }
        }
    }

    /// The calls that were asked for.
    fn answer_batch(&self, site: &HookSite, function: Value) -> Outcome {
        let function = returning_by_value(self.module, function);
        let signature = extract_functions(self.module, self.context, &[]);
        let Some(model) = signature.program.function(&function.name()) else { return Outcome::Refused };
        let layout = Layout::parse(&self.module.layout());
        match self.read(site, Mode::Tangent, |call| parse_batch(call, model, &layout)) {
            Ok(batch) => {
                replace_batch(self.module, site, &batch, function);
                Outcome::Done
            }
            Err(refusals) => Outcome::Unread(refusals),
        }
    }

    /// What a call asks for. A mark may have gone through a variable, which our own passes see through.
    fn read<T>(
        &self,
        site: &HookSite,
        mode: Mode,
        parse: impl Fn(&HookCall) -> Result<T, Vec<Refusal>>,
    ) -> Result<T, Vec<Refusal>> {
        parse(&site.read(self.module, mode)).or_else(|_| {
            open_slots(self.context, site.function());
            parse(&site.read(self.module, mode))
        })
    }

    /// What a call asks for where structs are handed over, and the function that takes them so.
    fn read_by_value(
        &self,
        site: &HookSite,
        mode: Mode,
        function: Value,
        layout: &Layout,
    ) -> Option<(Value, Request)> {
        let taking = taking_by_value(self.module, function)?;
        let signature = extract_functions(self.module, self.context, &[]);
        let model = signature.program.function(&taking.name())?;
        Some((taking, self.read(site, mode, |call| parse_request(call, model, layout)).ok()?))
    }

    fn answer_one(&mut self, site: &HookSite, mode: Mode, function: Value) -> Outcome {
        let function = returning_by_value(self.module, function);
        let signature = extract_functions(self.module, self.context, &[]);
        let Some(model) = signature.program.function(&function.name()).cloned() else {
            return Outcome::Refused;
        };
        let bodiless = refuse_bodiless(&model);
        if let Some(refusal) = bodiless.filter(|_| !self.known.is_known_by_call(function)) {
            if self.stage.may_resolve(refusal.code) {
                return Outcome::Kept;
            }
            refuse_request(site, &[refusal]);
            site.drop_refused();
            return Outcome::Refused;
        }
        let layout = Layout::parse(&self.module.layout());
        let plain = self.read(site, mode, |call| parse_request(call, &model, &layout));
        let (function, request) = match plain.map(|request| (function, request)) {
            Ok(read) => read,
            Err(refusals) => match self.read_by_value(site, mode, function, &layout) {
                Some(read) => read,
                None => return Outcome::Unread(refusals),
            },
        };
        self.known.strategies.ask(site);
        let key = (function, request.variant() + &self.known.strategies.describe_wishes());
        if !self.made.contains_key(&key) {
            match self.make(site, &request, function) {
                Ok(made) => self.made.insert(key.clone(), made),
                Err(outcome) => return outcome,
            };
        }
        let made = self.made[&key].clone();
        replace_hook(self.module, site, &request, &made.slots, (&made.model, made.function));
        Outcome::Done
    }

    /// The five stages, for one variant of one function, and for those it calls.
    fn make(&mut self, site: &HookSite, request: &Request, function: Value) -> Result<Made, Outcome> {
        let (module, context, config) = (self.module, self.context, &self.config);
        // A hook that is refused is gone then.
        let holder = site.function();
        let asked = Asked { context, function, mode: request.mode, config };
        let kept = &self.kept;
        let Attempt { prepared, extraction, variants, .. } = asked.plan(&mut self.known, &|known| {
            let prepared = kept.borrow_mut().take(context, function, &known.strategies.ways());
            let prepared = prepared.unwrap_or_else(|| prepare_all(module, context, function, known));
            let extraction = extract_prepared(module, context, &prepared, known);
            let name = prepared.copy.name();
            let variants = plan_request(&extraction.program, &name, request, &known.rules, config);
            Attempt { prepared, extraction, variants, given: site.constants(request) }
        });
        let mut spare = None;
        let result = match variants {
            Ok(variants) => {
                // Derivatives take debug scopes away from the copies that they are made of.
                spare = self.kept.get_mut().awaited.then(|| prepared.duplicate());
                Ok(self.write(&variants, &extraction, function))
            }
            Err(refused) if self.may_resolve_later(&refused.refusals) => Err(Outcome::Kept),
            Err(refused) => {
                self.make_of_bytes(request, (function, &prepared), &refused.refusals).ok_or_else(|| {
                    self.report(function, &prepared, &extraction, refused);
                    site.drop_refused();
                    Outcome::Refused
                })
            }
        };
        let ways = self.known.strategies.ways();
        let prepared = match spare {
            Some(spare) => prepared.leave_to(context, spare),
            None => prepared,
        };
        self.kept.get_mut().keep(context, function, holder, (ways, prepared));
        result
    }

    fn write(&self, variants: &[Variant], extraction: &Extraction, function: Value) -> Made {
        remark_plans(function, extraction, &self.known.rules, variants);
        self.emit(variants, extraction, function)
    }

    /// Whether all that is refused may be known later. Where the linker will see all files, one body that is missing here is
    /// reason enough to wait: what a call does that is not seen may be all that stands behind the other refusals.
    fn may_resolve_later(&self, refusals: &[Refusal]) -> bool {
        let mut missing = refusals.iter().filter(|refusal| self.stage.may_resolve(refusal.code));
        let linked =
            self.stage.is_before_full_link() || llvm!(shim::bs_shim_is_before_full_link(self.module.0));
        if linked { missing.next().is_some() } else { missing.count() == refusals.len() }
    }

    fn report(&mut self, function: Value, prepared: &Prepared, extraction: &Extraction, refused: Refused) {
        let callee = prepared.callees.iter().find(|(original, _)| original.name() == refused.function);
        let own = (function, prepared.copy, prepared.copy.name());
        let (function, copy, name) =
            callee.map_or(own, |(original, copy)| (*original, *copy, original.name()));
        let new = |refusal: &Refusal| self.told.insert((function, refusal.clone()));
        let refusals: Vec<Refusal> = refused.refusals.into_iter().filter(new).collect();
        refuse_function(function, (copy, &name), extraction, &refusals);
    }

    /// Writes the derivative that was asked for, and those that it calls, unless an earlier request wrote the same.
    fn emit(&self, variants: &[Variant], extraction: &Extraction, function: Value) -> Made {
        let [first, called @ ..] = variants else { unreachable!("the plan of the request comes first") };
        let name = format!("backsweep.{}.{}", first.plan.request.mode.name(), function.name());
        let mut asked = self.derive(&first.plan, extraction, &name);
        let models = called.iter().map(|variant| self.derive(&variant.plan, extraction, &variant.name));
        let is_taken = |name: &str| self.module.function(name).is_some();
        let new = self.shared.settle(&mut asked, models.collect(), &is_taken);
        let plan_of = |number: usize| &called[number].plan;
        let new = new.into_iter().map(|(number, model)| (plan_of(number), model));
        let derived: Vec<(&Plan, Function)> = std::iter::once((&first.plan, asked)).chain(new).collect();
        // They call each other, so all are declared before the first is written.
        let declared: Vec<Value> =
            derived.iter().map(|(_, model)| declare_function(self.module, model)).collect();
        for ((plan, model), function) in derived.iter().zip(&declared) {
            emit_callees(self.module, model, &plan.function, extraction);
            emit_function(self.module, model, *function, plan, extraction);
        }
        declared.iter().for_each(|function| self.written.add(self.context, *function));
        Made { model: derived[0].1.clone(), function: declared[0], slots: first.plan.params.clone() }
    }

    fn derive(&self, plan: &Plan, extraction: &Extraction, name: &str) -> Function {
        let Some(model) = plan.body(&extraction.program) else {
            unreachable!("the plan was made from this function")
        };
        let derived = derive(plan, model, &extraction.program, &self.known.rules, name);
        let faults = check_derived(plan, model, &extraction.program, &self.known.rules, &derived);
        let faults: Vec<String> = faults.iter().map(Fault::to_string).collect();
        assert!(faults.is_empty(), "the checker rejects the derivative: {}", faults.join("; "));
        derived
    }
}

/// Plans a request and proves the plans. A plan that the checker rejects is a fault of ours.
pub fn plan_request(
    program: &Program,
    function: &str,
    request: &Request,
    rules: &Rules,
    config: &Config,
) -> Result<Vec<Variant>, Refused> {
    let _remembering = program.remember();
    let variants = plan_unproved(program, function, request, rules, config)?;
    let faults = find_faults(&variants, program, rules);
    assert!(faults.is_empty(), "the checker rejects the plan: {}", faults.join("; "));
    Ok(variants)
}

/// The same without a proof, which is for the caller to ask for.
fn plan_unproved(
    program: &Program,
    function: &str,
    request: &Request,
    rules: &Rules,
    config: &Config,
) -> Result<Vec<Variant>, Refused> {
    let Some(model) = program.function(function) else {
        let refusal = Refusal::new(Code::Internal, format!("`{function}` was not extracted"));
        return Err(Refused { function: function.into(), refusals: vec![refusal] });
    };
    make_plans(model, program, rules, request, config)
}

/// What the checker says against plans.
fn find_faults(variants: &[Variant], program: &Program, rules: &Rules) -> Vec<String> {
    let bodies = variants.iter().filter_map(|variant| Some((variant, variant.plan.body(program)?)));
    let faults = bodies.flat_map(|(variant, model)| check_plan(&variant.plan, model, program, rules));
    let halves = check_all_halves(variants.iter().map(|variant| &variant.plan));
    faults.chain(halves).map(|fault: Fault| fault.to_string()).collect()
}

fn refuse_bodiless(function: &Function) -> Option<Refusal> {
    use backsweep_core::model::Linkage;
    let ways = "define it in the same file, link with full LTO (`--lto` for `backsweep cc` and its kin, else -flto) so that its \
                file is seen, or register a custom rule for it";
    let name = &function.name;
    match function.linkage {
        Linkage::Declared => Some(Refusal::new(
            Code::NoBody,
            format!("`{name}` has no body here, so it cannot be differentiated; {ways}"),
        )),
        Linkage::Replaceable => Some(Refusal::new(
            Code::NoBody,
            format!("the body of `{name}` is weak and may be replaced when linking; {ways}"),
        )),
        Linkage::Local | Linkage::External => None,
    }
}
