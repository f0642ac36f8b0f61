//! The canonical form of `{L | R}`: no dominated option, no reversible one.
//!
//! ```text
//! dominated    {0, ∗, ↑ | …}: 0 ≤ ↑, so Left never wants 0         -> {∗, ↑ | …}
//! reversible   G = {…, A | …} and some A^R ≤ G: Right will answer A
//!              by A^R at once, so A stands for the left options of A^R
//! ```
//!
//! Both steps keep the value; when neither applies the form is the smallest
//! and the only one (Siegel, *Combinatorial Game Theory*, II.2.9).

use super::signature::Signature;
use super::{Value, Values};

/// A game given by options, not yet canonical, with its signature.
struct Raw<'a> {
    left: &'a [Value],
    right: &'a [Value],
    signature: Signature,
}

pub(super) fn canonical(values: &Values, left: &mut Vec<Value>, right: &mut Vec<Value>) -> Value {
    remove_dominated(left, |option, other| values.le(option, other));
    remove_dominated(right, |option, other| values.le(other, option));
    // Bypassing keeps the value, and the signature with it.
    let signature = values.signature(left, right);
    loop {
        let raw = Raw { left, right, signature };
        if let Some((place, through)) = reversible_left(values, &raw) {
            left.swap_remove(place);
            left.extend_from_slice(values.left(through));
            remove_dominated(left, |option, other| values.le(option, other));
        } else if let Some((place, through)) = reversible_right(values, &raw) {
            right.swap_remove(place);
            right.extend_from_slice(values.right(through));
            remove_dominated(right, |option, other| values.le(other, option));
        } else {
            return values.arena.intern(left, right, signature);
        }
    }
}

/// Sorts, and keeps the options that are not `worse` than another.
fn remove_dominated(options: &mut Vec<Value>, worse: impl Fn(Value, Value) -> bool) {
    options.sort_unstable();
    options.dedup();
    let mut kept = 0;
    for next in 0..options.len() {
        let option = options[next];
        if options[..kept].iter().any(|&other| worse(option, other)) {
            continue;
        }
        let mut still = 0;
        for place in 0..kept {
            if !worse(options[place], option) {
                options[still] = options[place];
                still += 1;
            }
        }
        options[still] = option;
        kept = still + 1;
    }
    options.truncate(kept);
}

/// A left option that Right answers to `through` ≤ the game, and that answer.
fn reversible_left(values: &Values, raw: &Raw) -> Option<(usize, Value)> {
    raw.left.iter().enumerate().find_map(|(place, &option)| {
        let answers = values.right(option).iter();
        answers
            .copied()
            .find(|&answer| at_most(values, answer, raw))
            .map(|through| (place, through))
    })
}

fn reversible_right(values: &Values, raw: &Raw) -> Option<(usize, Value)> {
    raw.right.iter().enumerate().find_map(|(place, &option)| {
        let answers = values.left(option).iter();
        answers
            .copied()
            .find(|&answer| at_least(values, answer, raw))
            .map(|through| (place, through))
    })
}

/// Whether `value` ≤ the raw game.
fn at_most(values: &Values, value: Value, raw: &Raw) -> bool {
    let node = values.arena.node(value);
    node.signature.may_be_at_most(raw.signature)
        && (node.signature.is_at_most(raw.signature)
            || !raw.right.iter().any(|&right| values.le(right, value))
                && !node.left().iter().any(|&left| at_least(values, left, raw)))
}

/// Whether `value` ≥ the raw game.
fn at_least(values: &Values, value: Value, raw: &Raw) -> bool {
    let node = values.arena.node(value);
    raw.signature.may_be_at_most(node.signature)
        && (raw.signature.is_at_most(node.signature)
            || !raw.left.iter().any(|&left| values.le(value, left))
                && !node.right().iter().any(|&right| at_most(values, right, raw)))
}
