//! Which elimination is asked for: by what, and which next. `edges:HS,LM,R`, as users write it and recipes print it.

use std::fmt;
use std::str::FromStr;

/// A technique, and the heuristics that choose among its targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elimination {
    pub technique: Technique,
    pub sequence: Sequence,
}

/// What one step takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Technique {
    Vertices,
    Edges,
    Faces,
}

/// Filters, one behind the other, written as their names: `HS,LM,R` is highest sibling degree, of those the lowest Markowitz
/// degree, of those the last in topological order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence(Vec<Filter>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The fewest products.
    LowestMarkowitz,
    /// The fewest products beyond those that whatever order would make: inputs above times outputs below.
    LowestRelativeMarkowitz,
    /// The last in topological order, as reverse mode does.
    Reverse,
    /// The first in topological order, as forward mode does.
    Forward,
    /// The most paths in common with the step before, whose labels are still in registers; all where none has any.
    HighestSiblingDegree,
    /// The largest drop of the sum of all Markowitz degrees.
    MostReduction,
}

const TECHNIQUES: [(&str, Technique); 3] =
    [("vertices", Technique::Vertices), ("edges", Technique::Edges), ("faces", Technique::Faces)];

const FILTERS: [(&str, Filter); 6] = [
    ("LM", Filter::LowestMarkowitz),
    ("LRM", Filter::LowestRelativeMarkowitz),
    ("R", Filter::Reverse),
    ("F", Filter::Forward),
    ("HS", Filter::HighestSiblingDegree),
    ("MOMR", Filter::MostReduction),
];

impl Sequence {
    pub fn filters(&self) -> &[Filter] {
        &self.0
    }
}

impl FromStr for Elimination {
    type Err = String;

    fn from_str(text: &str) -> Result<Elimination, String> {
        let (technique, sequence) = text.split_once(':').unwrap_or((text, ""));
        Ok(Elimination {
            technique: look_up(&TECHNIQUES, technique, "is nothing to eliminate by")?,
            sequence: sequence.parse()?,
        })
    }
}

impl FromStr for Sequence {
    type Err = String;

    fn from_str(text: &str) -> Result<Sequence, String> {
        let filters = text.split(',').map(|word| look_up(&FILTERS, word, "is no heuristic"));
        filters.collect::<Result<Vec<_>, _>>().map(Sequence)
    }
}

fn look_up<T: Copy>(table: &[(&str, T)], word: &str, problem: &str) -> Result<T, String> {
    let found = table.iter().find(|(name, _)| name.eq_ignore_ascii_case(word.trim()));
    found.map(|(_, known)| *known).ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        format!("`{word}` {problem}; there are {}", names.join(", "))
    })
}

impl fmt::Display for Elimination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.sequence, self.technique)
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(&TECHNIQUES, *self))
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|filter| name_of(&FILTERS, *filter)).collect();
        f.write_str(&names.join(","))
    }
}

fn name_of<T: Copy + PartialEq>(table: &[(&'static str, T)], known: T) -> &'static str {
    table.iter().find(|(_, one)| *one == known).map_or("", |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_read_as_they_print() {
        let sequence: Sequence = " hs,LM , momr,R".parse().expect("a sequence");
        assert_eq!(sequence.to_string(), "HS,LM,MOMR,R");
        let error = "HS,fastest".parse::<Sequence>().expect_err("there is no such heuristic");
        assert_eq!(error, "`fastest` is no heuristic; there are LM, LRM, R, F, HS, MOMR");
    }

    #[test]
    fn eliminations_name_what_they_go_by() {
        let elimination: Elimination = "edges: HS,LM,R".parse().expect("an elimination");
        assert_eq!(elimination.to_string(), "HS,LM,R by edges");
        for (text, part) in
            [("HS,LM,R", "`HS,LM,R` is nothing to eliminate by"), ("faces", "`` is no heuristic")]
        {
            let error = text.parse::<Elimination>().expect_err("half of it is missing");
            assert!(error.contains(part), "{error}");
        }
    }
}
