//! Programs of loops that are counted, hand numbers and integers on, and have branches and loops inside.

use backsweep_oracle::generate::Rng;

pub fn write_program(rng: &mut Rng) -> String {
    let alone = if rng.chance(70) { " noalias" } else { "" };
    let mut writer = Writer { rng, text: String::new(), names: 0, block: "entry".into() };
    let mut scope = Scope { reals: vec!["double 0.3".into()], ..Scope::default() };
    scope.integers.push("%k".into());
    for _ in 0..writer.rng.between(1, 2) {
        writer.write_loop(&mut scope, 1);
    }
    let result = scope.states.iter().chain(&scope.reals[1..]).cloned().collect::<Vec<_>>();
    let sum = result.into_iter().reduce(|sum, more| writer.real(&format!("fadd {sum}, {more}")));
    format!(
        "function @f(%x: ptr{alone}, %z: ptr{alone}, %n: i64, %k: i64) -> double {{\n^entry:\n{}  ret {}\n}}\n\
         declare @llvm.sin.f64(double) -> double\n",
        writer.text,
        sum.unwrap_or_else(|| "double 0.0".into())
    )
}

/// What can be used at a place. States are those of the loops around, as they are by now.
#[derive(Clone, Default)]
struct Scope {
    reals: Vec<String>,
    integers: Vec<String>,
    states: Vec<String>,
    counts: Vec<String>,
}

struct Writer<'a> {
    rng: &'a mut Rng,
    text: String,
    names: usize,
    /// The block that is being written.
    block: String,
}

impl Writer<'_> {
    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn push(&mut self, ty: &str, text: &str) -> String {
        let name = format!("%{}", self.name("v"));
        self.text += &format!("  {name}: {ty} = {text}\n");
        name
    }

    fn real(&mut self, text: &str) -> String {
        self.push("double", text)
    }

    fn enter(&mut self, block: &str) {
        self.text += &format!("^{block}:\n");
        self.block = block.into();
    }

    fn any(&mut self, of: &[&[String]]) -> String {
        let all: Vec<String> = of.concat();
        self.rng.pick(&all).clone()
    }

    fn place(&mut self, scope: &Scope) -> String {
        let array = if self.rng.chance(75) { "%x" } else { "%z" };
        let number = self.any(&[&scope.integers, &scope.counts]);
        let more = self.rng.below(4);
        let sum = self.push("i64", &format!("add {number}, i64 {more}"));
        let index = self.push("i64", &format!("and {sum}, i64 7"));
        self.push("ptr", &format!("gep {array}, {index} over double by(8)"))
    }

    fn term(&mut self, scope: &Scope, depth: usize) -> String {
        let leaf = depth > 2 || self.rng.chance(25);
        if leaf && self.rng.chance(50) {
            let place = self.place(scope);
            return self.real(&format!("load {place}"));
        }
        if leaf {
            return self.any(&[&scope.reals, &scope.states]);
        }
        let a = self.term(scope, depth + 1);
        if self.rng.chance(40) {
            return self.real(&format!("call @llvm.sin.f64({a})"));
        }
        let b = self.term(scope, depth + 1);
        if self.rng.chance(15) {
            let more = self.push("i1", &format!("fcmp ogt {a}, {b}"));
            return self.real(&format!("select {more}, {a}, {b}"));
        }
        let op = *self.rng.pick(&["fmul", "fmul", "fadd", "fsub"]);
        self.real(&format!("{op} {a}, {b}"))
    }

    fn condition(&mut self, scope: &Scope) -> String {
        if self.rng.chance(40) {
            let term = self.term(scope, 2);
            return self.push("i1", &format!("fcmp ogt {term}, double 0.1"));
        }
        let number = self.any(&[&scope.integers, &scope.counts]);
        let low = self.push("i64", &format!("and {number}, i64 1"));
        self.push("i1", &format!("icmp eq {low}, i64 0"))
    }

    fn write_some(&mut self, scope: &mut Scope, depth: usize) {
        for _ in 0..self.rng.between(2, 5) {
            match self.rng.below(100) {
                0..30 => {
                    let term = self.term(scope, 0);
                    scope.reals.push(term);
                }
                30..60 => self.change_state(scope),
                60..75 => self.change_count(scope),
                75..88 if depth < 4 => self.write_branch(scope, depth),
                88..96 if depth < 3 => self.write_loop(scope, depth + 1),
                _ if self.rng.chance(30) => {
                    let term = self.term(scope, 1);
                    let (bounded, place) =
                        (self.real(&format!("call @llvm.sin.f64({term})")), self.place(scope));
                    self.text += &format!("  store {bounded}, {place}\n");
                }
                _ => {}
            }
        }
    }

    fn change_state(&mut self, scope: &mut Scope) {
        if scope.states.is_empty() {
            return;
        }
        let (at, term) = (self.rng.below(scope.states.len()), self.term(scope, 0));
        let old = scope.states[at].clone();
        let part = self.real(&format!("fmul {term}, double 0.3"));
        scope.states[at] = match self.rng.below(4) {
            0 => self.real(&format!("fadd {old}, {part}")),
            1 => self.real(&format!("call @llvm.sin.f64({part})")),
            2 => self.any(&[&scope.states]),
            _ => {
                let less = self.real(&format!("fmul {old}, double 0.5"));
                self.real(&format!("fsub {less}, {part}"))
            }
        };
    }

    fn change_count(&mut self, scope: &mut Scope) {
        if scope.counts.is_empty() {
            return;
        }
        let at = self.rng.below(scope.counts.len());
        let (old, by) = (scope.counts[at].clone(), self.any(&[&scope.integers]));
        let op = *self.rng.pick(&["add", "add", "sub", "xor", "mul"]);
        scope.counts[at] = self.push("i64", &format!("{op} {old}, {by}"));
    }

    fn write_branch(&mut self, scope: &mut Scope, depth: usize) {
        let condition = self.condition(scope);
        let (yes, no, join) = (self.name("yes"), self.name("no"), self.name("join"));
        self.text += &format!("  br {condition}, ^{yes}, ^{no}\n");
        let mut arms = Vec::new();
        for (block, filled) in [(yes, true), (no, self.rng.chance(50))] {
            self.enter(&block);
            let mut arm = scope.clone();
            if filled {
                self.write_some(&mut arm, depth + 1);
            }
            self.text += &format!("  br ^{join}\n");
            arms.push((arm, self.block.clone()));
        }
        self.enter(&join);
        let [(first, from), (second, other)] = &arms[..] else { return };
        let mut joined = |ty: &str, a: &String, b: &String| match a == b {
            true => a.clone(),
            false => self.push(ty, &format!("phi ^{from}: {a}, ^{other}: {b}")),
        };
        let pairs = |a: &[String], b: &[String]| a.iter().cloned().zip(b.to_vec()).collect::<Vec<_>>();
        let states = pairs(&first.states, &second.states);
        let counts = pairs(&first.counts, &second.counts);
        scope.states = states.iter().map(|(a, b)| joined("double", a, b)).collect();
        scope.counts = counts.iter().map(|(a, b)| joined("i64", a, b)).collect();
    }

    /// Tested at the head. Its own states are there behind it, and those of the loops around go through it.
    fn write_loop(&mut self, scope: &mut Scope, depth: usize) {
        let bound = match self.rng.below(4) {
            0 => format!("i64 {}", self.rng.below(10)),
            1 => "%k".into(),
            _ if depth == 1 => "%n".into(),
            _ => format!("i64 {}", self.rng.below(4)),
        };
        let down = self.rng.chance(30);
        let (mut inside, around) = (scope.clone(), (scope.states.len(), scope.counts.len()));
        for _ in 0..self.rng.between(1, 2) {
            let start = self.any(&[&scope.reals, &scope.states]);
            inside.states.push(start);
        }
        for _ in 0..self.rng.below(3) {
            let start = self.any(&[&scope.integers, &scope.counts]);
            inside.counts.push(start);
        }
        let (head, body, exit) = (self.name("head"), self.name("body"), self.name("exit"));
        self.text += &format!("  br ^{head}\n");
        let (from, before) = (self.block.clone(), std::mem::take(&mut self.text));
        let (starts, counter) = (inside.clone(), format!("%{}", self.name("i")));
        for value in inside.states.iter_mut().chain(&mut inside.counts) {
            *value = format!("%{}", self.name("h"));
        }
        let heads = inside.clone();
        inside.integers.push(counter.clone());
        self.enter(&body);
        self.write_some(&mut inside, depth);
        self.change_state(&mut inside);
        let step = if down { -1 } else { 1 };
        let next = self.push("i64", &format!("add {counter}, i64 {step}"));
        self.text += &format!("  br ^{head}\n");
        let latch = self.block.clone();
        let written = std::mem::replace(&mut self.text, before);
        self.enter(&head);
        let (start, end, test) =
            if down { (bound, "i64 0".into(), "sgt") } else { ("i64 0".into(), bound, "slt") };
        self.text += &format!("  {counter}: i64 = phi ^{from}: {start}, ^{latch}: {next}\n");
        let phis = |ty: &str, heads: &[String], starts: &[String], ends: &[String]| -> String {
            let each = heads.iter().zip(starts).zip(ends);
            each.map(|((head, start), end)| {
                format!("  {head}: {ty} = phi ^{from}: {start}, ^{latch}: {end}\n")
            })
            .collect()
        };
        self.text += &phis("double", &heads.states, &starts.states, &inside.states);
        self.text += &phis("i64", &heads.counts, &starts.counts, &inside.counts);
        let more = self.push("i1", &format!("icmp {test} {counter}, {end}"));
        self.text += &format!("  br {more}, ^{body}, ^{exit}\n{written}");
        self.enter(&exit);
        scope.states = heads.states[..around.0].to_vec();
        scope.counts = heads.counts[..around.1].to_vec();
        scope.reals.extend_from_slice(&heads.states[around.0..]);
        scope.integers.extend_from_slice(&heads.counts[around.1..]);
        if depth == 1 {
            scope.integers.push(counter);
        }
    }
}
