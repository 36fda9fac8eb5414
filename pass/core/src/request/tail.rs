//! What a hook call says beside arguments and shadows: seeds, and where the tape is.

use super::Mode;
use super::arguments::{Cursor, converts, read_token, refuse_surplus};
use super::describe::describe;
use super::hook::SPLIT_TANGENT;
use super::token::Token;
use crate::model::Type;
use crate::refusal::Code;

pub fn read_place_of_tape(cursor: &mut Cursor, token: &str) -> Option<()> {
    let place = cursor.take(&format!("the address of the tape after {token}"))?;
    let found = cursor.call.operands[place].ty.clone();
    let split = matches!(cursor.call.mode, Mode::Augmented | Mode::Reverse);
    if !split || !found.is_pointer() {
        let message = match split {
            true => format!("{token} is followed by {}; expected the address of the tape", describe(&found)),
            false => format!("{token}: only the two halves of split mode share a tape; drop it"),
        };
        cursor.refuse(Code::TokenDoesNotFit, message);
        return None;
    }
    cursor.tape = Some(place);
    cursor.tape_in_memory = true;
    Some(())
}

pub fn read_seeds(cursor: &mut Cursor) -> Option<()> {
    let ret = cursor.function.ret.clone();
    if !ret.holds_float() || cursor.call.mode == Mode::Tangent {
        let reason = if ret.holds_float() {
            "forward mode takes no seed; give tangents with bs_dup".into()
        } else {
            format!(
                "`{}` returns {}, which has no derivative; drop bs_seed",
                cursor.function.name,
                describe(&ret)
            )
        };
        cursor.refuse(Code::SeedWithoutFloat, format!("bs_seed: {reason}"));
        return None;
    }
    for _ in 0..cursor.width {
        let seed =
            cursor.take(&format!("the derivative of the result ({}) after bs_seed", describe(&ret)))?;
        check_seed(cursor, seed, &ret);
        cursor.seeds.push(seed);
    }
    Some(())
}

fn check_seed(cursor: &mut Cursor, seed: usize, ret: &Type) {
    let found = cursor.call.operands[seed].ty.clone();
    if !converts(&found, ret) {
        let message =
            format!("the seed is {}; expected {}, the type of the result", describe(&found), describe(ret));
        cursor.refuse(Code::WrongArgumentType, message);
    }
}

/// What may follow the arguments: call tokens, and in split reverse the seed and the tape.
pub fn read_tail(cursor: &mut Cursor) {
    loop {
        match read_token(cursor) {
            None => return,
            Some(Some(Token::Activity(_) | Token::Strided(_))) => return refuse_surplus(cursor),
            Some(Some(_)) => continue,
            Some(None) => {}
        }
        if cursor.peek().is_none() {
            break;
        }
        let split = cursor.call.mode == Mode::Reverse;
        let ret = cursor.function.ret.clone();
        if split
            && cursor.seeds.is_empty()
            && ret.holds_float()
            && !cursor.const_return
            && (cursor.tape.is_none() || cursor.tape_in_memory)
        {
            for _ in 0..cursor.width {
                let Some(seed) = cursor.take("the derivative of the result") else { return };
                check_seed(cursor, seed, &ret);
                cursor.seeds.push(seed);
            }
        } else if split && cursor.tape.is_none() {
            cursor.tape = cursor.take("the tape");
            cursor.tape.into_iter().for_each(|tape| check_tape(cursor, tape));
        } else if is_split_tangent(cursor) {
            read_no_tape(cursor);
        } else {
            return refuse_surplus(cursor);
        }
    }
    if cursor.call.mode == Mode::Reverse && cursor.tape.is_none() {
        let message = format!(
            "too few arguments to {}: expected the tape that the augmented call returned, as the last argument",
            cursor.call.hook
        );
        cursor.refuse(Code::TooFewArguments, message);
    }
}

/// The shadow of a result that the function returns in memory: it holds the seed, and is zero afterwards.
pub fn read_seed_behind(cursor: &mut Cursor) -> Option<()> {
    while read_token(cursor)?.is_some() {}
    let seed = cursor.take("the shadow of the result")?;
    let found = cursor.call.operands[seed].ty.clone();
    if !found.is_pointer() || cursor.width > 1 {
        let message = format!("the shadow of the result is {}; expected a pointer to it", describe(&found));
        cursor.refuse(Code::WrongArgumentType, message);
    }
    cursor.seeds.push(seed);
    Some(())
}

/// A tape that the caller keeps in a struct of its size comes as the integer that such structs are passed as.
fn check_tape(cursor: &mut Cursor, tape: usize) {
    let found = cursor.call.operands[tape].ty.clone();
    if !found.is_pointer() && found != Type::I64 {
        let message = format!(
            "the tape is {}; expected a pointer, as the augmented call returned it",
            describe(&found)
        );
        cursor.refuse(Code::WrongArgumentType, message);
    }
}

fn is_split_tangent(cursor: &Cursor) -> bool {
    let last = cursor.call.operands.last();
    cursor.call.hook.contains(SPLIT_TANGENT) && last.is_some_and(|last| last.ty.is_pointer())
}

/// Forward mode computes values and derivatives in one sweep. Without a tape that is what is asked for; what a tape holds it
/// could not take.
fn read_no_tape(cursor: &mut Cursor) {
    let Some(tape) = cursor.take("the tape") else { return };
    if cursor.call.operands[tape].constant != Some(0) {
        let message = "__enzyme_fwdsplit takes a tape that an augmented call has made, which is not supported; write \
                       __enzyme_fwddiff, which computes values and derivatives in one sweep";
        cursor.refuse(Code::NotSupported, message);
    }
}
