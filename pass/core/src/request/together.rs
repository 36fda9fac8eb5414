//! Structs by value that a front end passes member by member: the members of the shadow come behind those of the value.
//!
//! Read one by one, the second member would be taken for the shadow of the first. A struct is read as one where both are seen
//! to be: what the function takes, and what it is given.
//! Safe error: members are read one by one, as where somebody writes them so.

use super::arguments::{Cursor, check_fit, check_shadow, check_value, param_name, read_token};
use super::token::Token;
use super::{Activity, Argument, Mode};
use crate::model::Type;

/// The arguments for the members of a struct that begins with this parameter. `Some(None)` where there is none, `None` after a
/// refusal that makes further reading pointless.
pub fn read_struct(cursor: &mut Cursor, first: usize) -> Option<Option<Vec<Argument>>> {
    let Some(count) = count_members(cursor, first) else { return Some(None) };
    let members = first..first + count;
    let types: Vec<Type> = members.clone().map(|at| cursor.function.params[at].ty.clone()).collect();
    let mut activity = default_activity(&types, cursor.call.mode);
    let mut named = None;
    while let Some(token) = read_token(cursor)? {
        match token {
            // A second one stands where a value should.
            Token::Activity(_) if named.is_some() => {
                cursor.next -= 1;
                break;
            }
            Token::Activity(asked) => {
                activity = asked;
                named = Some(cursor.next - 1);
            }
            _ => {}
        }
    }
    let mut arguments = Vec::new();
    for (param, ty) in members.clone().zip(&types) {
        let carries = ty.holds_float() || ty.holds_pointer();
        let activity = if carries { activity } else { Activity::Const };
        if let Some(at) = named {
            let text =
                cursor.call.operands[at].token.as_ref().map_or(String::new(), |token| token.text.clone());
            check_fit(cursor, activity, &text, param, ty);
        } else {
            check_fit(cursor, activity, "bs_dup", param, ty);
        }
        let primal =
            cursor.take(&format!("the member `{}` of a struct", param_name(cursor.function, param)))?;
        check_value(cursor, primal, param, ty);
        arguments.push(Argument { activity, primal, shadows: Vec::new(), stride: None, by_reference: false });
    }
    if activity.has_shadow() {
        read_shadows(cursor, &mut arguments, first)?;
    }
    Some(Some(arguments))
}

/// The shadow has all members, those included that carry no derivative.
fn read_shadows(cursor: &mut Cursor, arguments: &mut [Argument], first: usize) -> Option<()> {
    for _ in 0..cursor.width {
        for (at, argument) in arguments.iter_mut().enumerate() {
            let name = param_name(cursor.function, first + at);
            let shadow = cursor.take(&format!("the member `{name}` of the shadow of a struct"))?;
            let ty = cursor.function.params[first + at].ty.clone();
            check_shadow(cursor, shadow, first + at, &ty);
            if argument.activity.has_shadow() {
                argument.shadows.push(shadow);
            }
        }
    }
    Some(())
}

/// How many members the struct has, where one is taken and given here. Where all shadows come behind all values, members are read one
/// by one.
fn count_members(cursor: &Cursor, first: usize) -> Option<usize> {
    let of = |runs: &[(usize, usize)], at: usize| runs.iter().find(|run| run.0 == at).map(|run| run.1);
    let count = of(&cursor.call.split, first)?;
    let given = of(&cursor.call.structs, next_value(cursor)?) == Some(count);
    (given && !cursor.interleaved && first + count <= cursor.function.params.len()).then_some(count)
}

/// The operand behind the words that come next, where these do not say that the value is somewhere else.
fn next_value(cursor: &Cursor) -> Option<usize> {
    let mut at = cursor.next;
    while let Some(name) = &cursor.call.operands.get(at)?.token {
        at += match name.token? {
            Token::Width | Token::Allocated | Token::Call(_) | Token::TapeAt => 2,
            Token::Activity(_)
            | Token::PrimalReturn
            | Token::ConstReturn
            | Token::ActiveReturn
            | Token::NoReturn
            | Token::NotOverwritten
            | Token::NoFree => 1,
            Token::Strided(_)
            | Token::ByReference
            | Token::Interleave
            | Token::Each
            | Token::All
            | Token::Seed
            | Token::Unsupported => return None,
        };
    }
    Some(at)
}

fn default_activity(types: &[Type], mode: Mode) -> Activity {
    if types.iter().any(Type::holds_pointer) || mode == Mode::Tangent { Activity::Dup } else { Activity::Out }
}
