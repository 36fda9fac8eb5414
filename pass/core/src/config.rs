//! What the user sets for all requests: options as `opt;opt=value`, from pass parameters or `BACKSWEEP_OPTIONS`.

use crate::elimination::Elimination;

/// The settings of one run, passed to whoever asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Branches are evaluated again in the reverse sweep where their outcome tells the edge taken.
    pub reevaluate: Switch,
    /// What the planner goes by. Off, each gives way to the answer that is always safe.
    pub analyses: Analyses,
    /// A derivative that is exactly zero stays zero through a singular operation.
    pub strong_zero: StrongZero,
    /// Adjoints that iterations of a loop add to memory may be summed up in registers. Off: one addition at a time.
    pub sums: Switch,
    /// How many bytes of records a loop in strips keeps at a time, where the user says so.
    pub strip: Option<u64>,
    /// How local Jacobians are computed, where the user says so.
    pub eliminate: Option<Elimination>,
    /// Whether graphs are printed as of layers that are no stretches of code, where those are fewer.
    pub layered: Switch,
    /// Panics on purpose, so that tests see what a fault of ours looks like to the user.
    pub panic: Switch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analyses {
    /// Which values carry a derivative. Off: every float that has to do with an active input.
    pub activity: Switch,
    /// What the forward sweep has to compute. Off: everything.
    pub liveness: Switch,
    /// Which values the reverse sweep reads. Off: every operand and result of what is active.
    pub tbr: Switch,
    /// Which memory is not overwritten, so that it can be read again. Off: none.
    pub write: Switch,
    /// What is stored and what is computed again. Off: each value is stored.
    pub mincut: Switch,
    /// Whether memory is put back as it was, so that it can be read again. Off: it is not.
    pub restore: Switch,
    /// Whether that may be memory at which somebody looks afterwards. Off: only memory of which nobody reads what the primal left.
    pub left: Switch,
    pub put_back: PutBack,
    pub resident: InMemory,
    /// Whether work is done twice so that loops record less. Off: what the forward sweep has computed with effort is recorded.
    pub notape: Switch,
    /// Which straight-line code is differentiated by its local Jacobian, and not instruction by instruction.
    pub preaccumulate: Preaccumulate,
    /// Whether independent iterations are reversed in their own order. Off: the last comes first.
    pub fuse: Switch,
    /// Whether loops are passed by on the way back where nothing is said about what they hand on. Off: each is reversed.
    pub idle: Switch,
    /// Whether long loops keep the records of one strip of iterations at a time. Off: of all.
    pub strip: Switch,
    /// Whether functions that an outer loop computes anew in each pass get a table in front of it.
    pub tables: Switch,
    /// Whether what a loop only chooses among numbers, as a maximum, is read again behind it.
    pub chosen: Switch,
    /// Pointers that loops walk with as steps that they count.
    pub walks: Switch,
    /// Whether first and last passes of loops that are unlike the others are parted from them before anything is planned.
    pub edges: Switch,
    /// Whether loops of a few passes are written out before anything is planned.
    pub short: Switch,
    /// Whether calls of functions that the user marked so run twice, so that what they record is on the tape one call at a time.
    pub joint: Switch,
    /// Whether calls with few active numbers around them may be replaced by their partial derivatives.
    pub contract: Switch,
    /// Whether a test on entry may lead to a version that goes by its answer. Off: there is one version, for whatever may be.
    pub guard: Switch,
    /// Whether the numbers that loads of a loop read from one row of memory are recorded as that row.
    pub rows: Switch,
    pub abreast: Abreast,
    /// What is taken back in the reverse sweep by undoing what changed it.
    pub invert: Invert,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invert {
    /// Nothing but counters that go by a constant.
    Off,
    /// What comes back as it was, to the last bit.
    Exact,
    /// Sums of floats as well, which come back with an error of rounding.
    Floats,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}

/// Where what the reverse sweep takes from the forward sweep stays in memory, instead of in values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InMemory {
    Never,
    /// In functions in which it is much.
    Long,
    Always,
}

/// Where memory is put back as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutBack {
    /// Where that takes less than to record what is read there.
    Cheaper,
    /// Wherever it can be, so that tests meet it.
    Always,
}

/// Where local Jacobians are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preaccumulate {
    Never,
    /// Where the plan is cheaper with them.
    Cheaper,
    /// Wherever they can be, so that tests meet them.
    Always,
}

/// Where forward mode in several directions computes all tangents of a number at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abreast {
    Never,
    /// Where code is such that it pays.
    Faster,
    /// Wherever it can, so that tests meet it.
    Always,
}

/// When the product of a derivative that is exactly zero with a partial is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrongZero {
    /// When that is what comes out.
    Never,
    /// Whatever the partial is.
    Always,
    /// When no number comes out: what is zero may have a tangent, and the product has it, too.
    Undefined,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            reevaluate: Switch::On,
            analyses: Analyses::default(),
            strong_zero: StrongZero::Always,
            sums: Switch::On,
            strip: None,
            eliminate: None,
            layered: Switch::Off,
            panic: Switch::Off,
        }
    }
}

impl Default for Analyses {
    fn default() -> Analyses {
        let on = Switch::On;
        Analyses {
            activity: on,
            liveness: on,
            tbr: on,
            write: on,
            mincut: on,
            restore: on,
            left: on,
            put_back: PutBack::Cheaper,
            resident: InMemory::Long,
            notape: on,
            preaccumulate: Preaccumulate::Cheaper,
            fuse: on,
            idle: on,
            strip: on,
            tables: on,
            chosen: on,
            walks: on,
            edges: on,
            short: on,
            joint: on,
            contract: on,
            guard: on,
            rows: on,
            abreast: Abreast::Faster,
            invert: Invert::Exact,
        }
    }
}

/// The options there are, as documentation and error messages list them.
pub const OPTIONS: [(&str, &str); 12] = [
    (
        "disable=LIST",
        "switch off, by name and separated by commas: activity, liveness, tbr, write, mincut, restore, left, notape, preaccumulate, fuse, idle, strip, tables, chosen, walks, edges, short, joint, contract, guard, rows, abreast, invert, reevaluate, sums",
    ),
    ("strong-zero=on|off", "whether a zero derivative stays zero through a singular operation (on)"),
    (
        "preaccumulate=on|off|always",
        "whether the derivative of straight-line code may go through its local Jacobian, where that is cheaper (on)",
    ),
    (
        "eliminate=BY:SEQUENCE",
        "how local Jacobians are computed: by vertices, edges or faces, and of these first the ones that the first heuristic keeps, of \
         those the ones that the second keeps, and so on: HS, LM, LRM, MOMR, F, R; as in edges:HS,LM,R (the cheapest of several, and the \
         optimum where there is little to eliminate)",
    ),
    (
        "graphs=contiguous|layered",
        "whether each of the graphs that are printed is of one stretch of code, or of any statements that can be brought together (contiguous)",
    ),
    (
        "abreast=on|off|always",
        "whether forward mode in several directions computes all tangents of a number at once, as a vector, where that is faster (on)",
    ),
    (
        "invert=exact|floats",
        "what loops add up is taken back in the reverse sweep and not recorded: integers alone, or floats as well, which brings \
         errors of rounding that add up over the iterations (exact)",
    ),
    (
        "resident=never|long|always",
        "whether what the reverse sweep takes from the forward sweep stays in memory, instead of in registers as far as there are any: in long \
         functions, or wherever it can (long)",
    ),
    (
        "put-back=cheaper|always",
        "whether memory is put back as it was where that takes less than to record what is read there, or wherever it can be (cheaper)",
    ),
    (
        "strip=BYTES",
        "loops that can keep so many bytes of records at a time do, and run iterations again for the rest, whatever time that takes \
         (32768, in loops whose records take more than 32 MiB, where running again costs little)",
    ),
    ("panic=on|off", "fail on purpose, to see how a fault of Backsweep is reported (off)"),
    ("", "several options are separated by semicolons"),
];

impl Config {
    /// What stands for derivatives that are differentiated once more: nothing is written into memory that has shadows,
    /// and what is zero may have a tangent.
    pub fn for_nested(mut self) -> Config {
        self.analyses.left = Switch::Off;
        self.analyses.idle = Switch::Off;
        self.analyses.joint = Switch::Off;
        self.analyses.contract = Switch::Off;
        self.analyses.rows = Switch::Off;
        if self.strong_zero == StrongZero::Always {
            self.strong_zero = StrongZero::Undefined;
        }
        self
    }

    /// Reads options on top of these. The error is one line for the user.
    pub fn read(mut self, text: &str) -> Result<Config, String> {
        for option in text.split(';').map(str::trim).filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            match name.trim() {
                "disable" => self.disable(value)?,
                "strong-zero" => {
                    self.strong_zero = match read_switch(name, value)? {
                        Switch::On => StrongZero::Always,
                        Switch::Off => StrongZero::Never,
                    }
                }
                "preaccumulate" => self.analyses.preaccumulate = read_preaccumulate(value)?,
                "eliminate" => {
                    let asked = value.parse().map_err(|problem| format!("`{name}={value}`: {problem}"));
                    self.eliminate = Some(asked?);
                }
                "graphs" => {
                    self.layered = match value.trim() {
                        "contiguous" => Switch::Off,
                        "layered" => Switch::On,
                        other => return Err(format!("`{name}={other}`: expected contiguous or layered")),
                    }
                }
                "invert" => {
                    self.analyses.invert = match value.trim() {
                        "exact" => Invert::Exact,
                        "floats" => Invert::Floats,
                        other => return Err(format!("`{name}={other}`: expected exact or floats")),
                    }
                }
                "resident" => {
                    self.analyses.resident = match value.trim() {
                        "never" => InMemory::Never,
                        "long" => InMemory::Long,
                        "always" => InMemory::Always,
                        other => return Err(format!("`{name}={other}`: expected never, long or always")),
                    }
                }
                "put-back" => {
                    self.analyses.put_back = match value.trim() {
                        "cheaper" => PutBack::Cheaper,
                        "always" => PutBack::Always,
                        other => return Err(format!("`{name}={other}`: expected cheaper or always")),
                    }
                }
                "abreast" => {
                    self.analyses.abreast = match value.trim() {
                        "on" => Abreast::Faster,
                        "off" => Abreast::Never,
                        "always" => Abreast::Always,
                        other => return Err(format!("`{name}={other}`: expected on, off or always")),
                    }
                }
                "strip" => {
                    let bytes = value.trim().parse().ok().filter(|bytes| *bytes > 0);
                    let known = bytes.ok_or_else(|| format!("`{name}={value}`: expected a number of bytes"));
                    self.strip = Some(known?);
                }
                "panic" => self.panic = read_switch(name, value)?,
                other => return Err(format!("unknown option `{other}`; the options are {}", list_options())),
            }
        }
        Ok(self)
    }

    fn disable(&mut self, names: &str) -> Result<(), String> {
        for name in names.split(',').map(str::trim) {
            let switch = match name {
                "invert" => {
                    self.analyses.invert = Invert::Off;
                    continue;
                }
                "preaccumulate" => {
                    self.analyses.preaccumulate = Preaccumulate::Never;
                    continue;
                }
                "abreast" => {
                    self.analyses.abreast = Abreast::Never;
                    continue;
                }
                "activity" => &mut self.analyses.activity,
                "liveness" => &mut self.analyses.liveness,
                "tbr" => &mut self.analyses.tbr,
                "write" => &mut self.analyses.write,
                "mincut" => &mut self.analyses.mincut,
                "restore" => &mut self.analyses.restore,
                "left" => &mut self.analyses.left,
                "notape" => &mut self.analyses.notape,
                "fuse" => &mut self.analyses.fuse,
                "idle" => &mut self.analyses.idle,
                "strip" => &mut self.analyses.strip,
                "chosen" => &mut self.analyses.chosen,
                "walks" => &mut self.analyses.walks,
                "tables" => &mut self.analyses.tables,
                "edges" => &mut self.analyses.edges,
                "short" => &mut self.analyses.short,
                "joint" => &mut self.analyses.joint,
                "contract" => &mut self.analyses.contract,
                "guard" => &mut self.analyses.guard,
                "rows" => &mut self.analyses.rows,
                "reevaluate" => &mut self.reevaluate,
                "sums" => &mut self.sums,
                other => {
                    let known = "activity, liveness, tbr, write, mincut, restore, left, notape, preaccumulate, fuse, idle, strip, tables, chosen, walks, edges, short, joint, contract, guard, rows, abreast, invert, \
                                 reevaluate and sums";
                    return Err(format!("`disable={other}`: what can be disabled is {known}"));
                }
            };
            *switch = Switch::Off;
        }
        Ok(())
    }
}

fn read_switch(name: &str, value: &str) -> Result<Switch, String> {
    match value.trim() {
        "on" => Ok(Switch::On),
        "off" => Ok(Switch::Off),
        other => Err(format!("`{name}={other}`: expected on or off")),
    }
}

fn read_preaccumulate(value: &str) -> Result<Preaccumulate, String> {
    match value.trim() {
        "on" => Ok(Preaccumulate::Cheaper),
        "off" => Ok(Preaccumulate::Never),
        "always" => Ok(Preaccumulate::Always),
        other => Err(format!("`preaccumulate={other}`: expected on, off or always")),
    }
}

fn list_options() -> String {
    let names: Vec<&str> = OPTIONS.iter().map(|(name, _)| *name).filter(|name| !name.is_empty()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_options_in_any_order() {
        let config =
            Config::default().read(" strong-zero=off ; disable=reevaluate,tbr;").expect("all are known");
        let analyses = Analyses { tbr: Switch::Off, ..Analyses::default() };
        let expected =
            Config { reevaluate: Switch::Off, strong_zero: StrongZero::Never, analyses, ..Config::default() };
        assert_eq!(config, expected);
        assert_eq!(Config::default().read(""), Ok(Config::default()));
    }

    #[test]
    fn names_what_it_does_not_know() {
        for (text, part) in [
            ("fast", "`fast`"),
            ("disable=x", "disable=x"),
            ("strong-zero=maybe", "on or off"),
            ("strip=0", "a number of bytes"),
            ("invert=all", "exact or floats"),
        ] {
            let error = Config::default().read(text).expect_err("this is no option");
            assert!(error.contains(part), "{error}");
        }
    }
}
