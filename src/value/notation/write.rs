//! Writing: which values have a short name, and braces for the others.

use std::collections::HashMap;

use super::simple::Simple;
use crate::value::{Value, Values};

pub(super) struct Writer<'a> {
    values: &'a Values,
    limit: usize,
    texts: HashMap<Value, Option<String>>,
    simples: HashMap<Value, Option<Simple>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(values: &'a Values, limit: usize) -> Self {
        Self { values, limit, texts: HashMap::new(), simples: HashMap::new() }
    }

    /// The text, unless it is over the limit.
    pub(super) fn text(&mut self, value: Value) -> Option<String> {
        if let Some(text) = self.texts.get(&value) {
            return text.clone();
        }
        let text = match self.simple(value) {
            Some(simple) => Some(simple.to_string()),
            None => self.braces(value),
        };
        let text = text.filter(|text| text.chars().count() <= self.limit);
        self.texts.insert(value, text.clone());
        text
    }

    fn braces(&mut self, value: Value) -> Option<String> {
        let (left, right) = (self.values.left(value), self.values.right(value));
        if let ([a], [b]) = (left, right)
            && self.values.negative(*a) == *b
            && self.simple(*a).is_some()
        {
            return Some(format!("±{}", self.text(*a)?));
        }
        let (left, right) = (self.list(left)?, self.list(right)?);
        Some(format!("{{{left}|{right}}}"))
    }

    fn list(&mut self, options: &[Value]) -> Option<String> {
        let mut texts = vec![];
        for &option in options {
            let text = self.text(option)?;
            texts.push((self.values.birthday(option), text.chars().count(), text));
        }
        texts.sort();
        Some(texts.into_iter().map(|(_, _, text)| text).collect::<Vec<_>>().join(","))
    }

    /// The value as number + ups + nimber, if it is one within the bounds. The
    /// options of one within are within, so nothing beyond is put together.
    fn simple(&mut self, value: Value) -> Option<Simple> {
        if let Some(known) = self.simples.get(&value) {
            return *known;
        }
        let values = self.values;
        let mut list = |options: &[Value]| {
            options.iter().map(|&option| self.simple(option)).collect::<Option<Vec<_>>>()
        };
        let simple = match (list(values.left(value)), list(values.right(value))) {
            (Some(left), Some(right)) => combine(&left, &right).filter(Simple::is_within),
            _ => None,
        };
        self.simples.insert(value, simple);
        simple
    }
}

fn combine(left: &[Simple], right: &[Simple]) -> Option<Simple> {
    if let Some(number) = number(left, right) {
        return Some(Simple { number, ups: 0, nimber: 0 });
    }
    let number = left.first()?.number;
    if left.iter().chain(right).any(|option| option.number != number) {
        return None;
    }
    let infinitesimal = |options: &[Simple]| {
        let mut list: Vec<_> = options.iter().map(|option| (option.ups, option.nimber)).collect();
        list.sort_unstable();
        list
    };
    let (left, right) = (infinitesimal(left), infinitesimal(right));
    let heap: Vec<_> = (0..left.len() as u32).map(|nimber| (0, nimber)).collect();
    if left == heap && right == heap {
        return Some(Simple { number, ups: 0, nimber: heap.len() as u32 });
    }
    let (ups, nimber) = match (&left[..], &right[..]) {
        ([(0, 0), (0, 1)], [(0, 0)]) => (1, 1),
        ([(0, 0)], [(0, 0), (0, 1)]) => (-1, 1),
        ([(0, 0)], &[(ups, nimber)]) if ups > 0 || (ups == 0 && nimber > 0) => {
            (ups + 1, nimber ^ 1)
        }
        (&[(ups, nimber)], [(0, 0)]) if ups < 0 || (ups == 0 && nimber > 0) => {
            (ups - 1, nimber ^ 1)
        }
        _ => return None,
    };
    Some(Simple { number, ups, nimber })
}

/// A canonical form whose options are numbers, at most one a side and Left's
/// the smaller, is the simplest number between them.
fn number(left: &[Simple], right: &[Simple]) -> Option<(i64, i64)> {
    let plain = |options: &[Simple]| match options {
        [] => Some(None),
        [Simple { number, ups: 0, nimber: 0 }] => Some(Some(*number)),
        _ => None,
    };
    match (plain(left)?, plain(right)?) {
        (None, None) => Some((0, 1)),
        (Some((n, 1)), None) => Some((n + 1, 1)),
        (None, Some((n, 1))) => Some((n - 1, 1)),
        (Some((a, b)), Some((c, d))) if a * d < c * b => {
            // Canonical: a/b and c/d are neighbours on the finer of their grids.
            let grid = b.max(d);
            Some((a * (grid / b) + c * (grid / d), 2 * grid))
        }
        _ => None,
    }
}
