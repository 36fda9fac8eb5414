//! Which known name the user may have meant.

/// The known name nearest to `wanted`, when it is near enough to be a slip.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Any letter is near any other: of a name of one letter only the case can have slipped.
    let limit = match wanted.chars().count() {
        0 | 1 => 0,
        length => length.div_ceil(3),
    };
    known
        .into_iter()
        .map(|name| (distance(&wanted.to_lowercase(), &name.to_lowercase()), name))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, name)| name)
}

/// `; did you mean …?` or nothing, to stand at the end of a message.
pub fn hint<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(wanted, known).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// Levenshtein's distance: insertions, deletions and substitutions.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn only_slips_are_suggested() {
        let known = ["rosenbrock", "norm"];
        assert_eq!(nearest("rosenbrok", known), Some("rosenbrock"));
        assert_eq!(nearest("Norm", known), Some("norm"));
        assert_eq!(nearest("gradient", known), None);
        assert_eq!(nearest("y", ["x", "Y"]), Some("Y"));
        assert_eq!(hint("nrm", known), "; did you mean `norm`?");
    }
}
