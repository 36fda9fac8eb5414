//! Tokens: marker globals whose names say how to read the operands after them.

use super::Activity;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    Activity(Activity),
    /// The next operand is the number of directions.
    Width,
    /// The next operand (one for each direction) is the derivative of the returned value.
    Seed,
    PrimalReturn,
    /// The derivative of the result is not asked for.
    ConstReturn,
    /// Says what is the rule anyway: a float result is active, a pointer result has a shadow.
    ActiveReturn,
    /// A pointer with one shadow for each direction: before the pointer stands how many bytes they are apart.
    Strided(Activity),
    /// From here on the shadows stand, after all the values.
    Interleave,
    /// The tape may be a struct of at most so many bytes: the next operand.
    Allocated,
    /// The tape is kept where the next operand points.
    TapeAt,
    /// `reverse` leaves the tape alive.
    NoFree,
    /// The result is dropped.
    NoReturn,
    /// Promises what we find out ourselves.
    NotOverwritten,
    /// The value stands behind a pointer; before the pointer stands how large it is.
    ByReference,
    /// What follows in a batch: one value for each call, or one for all.
    Each,
    All,
    /// How calls of the function behind it are differentiated.
    Call(CallWay),
    /// Words of other tools that we understand and do not do.
    Unsupported,
}

/// What becomes of a call in a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallWay {
    /// The callee's instructions are the caller's.
    Inline,
    /// The callee records as it goes, and is reversed from that.
    Split,
    /// The callee runs once more when the reverse sweep comes to it.
    Joint,
    /// The callee's gradient runs at once, and only its partial derivatives are kept.
    Contract,
}

/// A marker found among the operands: what it means and how the user wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenName {
    pub text: String,
    /// `None` for a marker with our prefix and a word we do not know.
    pub token: Option<Token>,
}

const TOKENS: [(&str, Token); 43] = [
    ("bs_dup", Token::Activity(Activity::Dup)),
    ("enzyme_dup", Token::Activity(Activity::Dup)),
    ("bs_dup_noneed", Token::Activity(Activity::DupNoNeed)),
    ("enzyme_dupnoneed", Token::Activity(Activity::DupNoNeed)),
    ("bs_dup_fresh", Token::Activity(Activity::DupFresh)),
    ("bs_out", Token::Activity(Activity::Out)),
    ("enzyme_out", Token::Activity(Activity::Out)),
    ("bs_const", Token::Activity(Activity::Const)),
    ("enzyme_const", Token::Activity(Activity::Const)),
    ("bs_seed", Token::Seed),
    ("bs_primal_return", Token::PrimalReturn),
    ("enzyme_primal_return", Token::PrimalReturn),
    ("bs_width", Token::Width),
    ("enzyme_width", Token::Width),
    ("enzyme_const_return", Token::ConstReturn),
    ("bs_const_return", Token::ConstReturn),
    ("enzyme_active_return", Token::ActiveReturn),
    ("enzyme_dup_return", Token::ActiveReturn),
    ("enzyme_allocated", Token::Allocated),
    ("bs_allocated", Token::Allocated),
    ("enzyme_nofree", Token::NoFree),
    ("bs_nofree", Token::NoFree),
    ("enzyme_noret", Token::NoReturn),
    ("bs_noret", Token::NoReturn),
    ("enzyme_tape", Token::TapeAt),
    ("bs_tape_at", Token::TapeAt),
    ("enzyme_interleave", Token::Interleave),
    ("bs_interleave", Token::Interleave),
    ("enzyme_byref", Token::ByReference),
    ("bs_by_reference", Token::ByReference),
    ("enzyme_vector", Token::Each),
    ("enzyme_scalar", Token::All),
    ("enzyme_dupv", Token::Strided(Activity::Dup)),
    ("bs_dup_strided", Token::Strided(Activity::Dup)),
    ("enzyme_dupnoneedv", Token::Strided(Activity::DupNoNeed)),
    ("bs_dup_noneed_strided", Token::Strided(Activity::DupNoNeed)),
    ("bs_inline", Token::Call(CallWay::Inline)),
    ("bs_split", Token::Call(CallWay::Split)),
    ("bs_joint", Token::Call(CallWay::Joint)),
    ("bs_contract", Token::Call(CallWay::Contract)),
    ("enzyme_not_overwritten", Token::NotOverwritten),
    ("enzyme_runtime_activity", Token::Unsupported),
    ("enzyme_truncate", Token::Unsupported),
];

/// Reads the name of a global as a token. Static markers in C++ and Rust are mangled: the word stands inside,
/// with its length before it.
pub fn find_token(global: &str) -> Option<TokenName> {
    let spelled = [Some(global), fortran_word(global)];
    if let Some((word, token)) = TOKENS.iter().find(|(word, _)| spelled.contains(&Some(word))) {
        return Some(TokenName { text: (*word).into(), token: Some(*token) });
    }
    for (word, token) in TOKENS {
        if global.contains(&format!("{}{word}", word.len())) {
            return Some(TokenName { text: word.into(), token: Some(token) });
        }
    }
    let ours = global.starts_with("bs_") || global.starts_with("enzyme_");
    ours.then(|| TokenName { text: global.into(), token: None })
}

/// How Fortran spells the name of a variable in a module, of one that a procedure saves, and of a common block.
fn fortran_word(global: &str) -> Option<&str> {
    // Names are in small letters there, so the last capital is the one before the variable.
    match global.strip_prefix("_Q") {
        Some(path) => path.rsplit_once('E').map(|(_, word)| word),
        None => global.strip_suffix('_'),
    }
}

/// The tokens of our own spelling, for messages.
pub fn known_tokens() -> String {
    let ours: Vec<&str> =
        TOKENS.iter().map(|(word, _)| *word).filter(|word| word.starts_with("bs_")).collect();
    ours.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_plain_and_mangled_markers() {
        let dup = Some(Token::Activity(Activity::Dup));
        assert_eq!(find_token("bs_dup").and_then(|name| name.token), dup);
        assert_eq!(find_token("_ZL10enzyme_dup").and_then(|name| name.token), dup);
        assert_eq!(find_token("_ZN4demo6bs_dup17h0123456789abcdefE").and_then(|name| name.token), dup);
        assert_eq!(find_token("bs_dpu").map(|name| name.token), Some(None));
        assert_eq!(find_token("x"), None);
    }

    #[test]
    fn reads_the_markers_of_fortran() {
        let dup = Some(Token::Activity(Activity::Dup));
        for global in ["enzyme_dup_", "_QMmarksEenzyme_dup", "_QFEenzyme_dup", "_QMmFsetEenzyme_dup"] {
            assert_eq!(find_token(global).and_then(|name| name.token), dup, "{global}");
        }
        assert_eq!(find_token("_QMenzyme_dupEcount"), None);
    }

    #[test]
    fn a_longer_word_is_not_its_prefix() {
        let noneed = Some(Token::Activity(Activity::DupNoNeed));
        assert_eq!(find_token("_ZL13bs_dup_noneed").and_then(|name| name.token), noneed);
    }
}
