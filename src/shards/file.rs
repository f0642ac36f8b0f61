//! One shard's result as a file.
//!
//! ```text
//! {"plan": …, "shard": 3, "positions": …, "sizes": …, "free": 12}    one line of JSON
//! the free sets, 8 bytes each, lowest first
//! for each size, how many different counts there are, then those counts, each less the
//!   one before, and how many sets have it                            numbers of 7 bits a byte
//! CRC-32 of all that, 4 bytes, lowest first
//! ```

use serde::{Deserialize, Serialize};

use super::count::Counts;
use super::plan::Plan;
use crate::census::Size;
use crate::census::percentiles::Values;

#[derive(Serialize, Deserialize)]
struct Header {
    plan: Plan,
    shard: usize,
    positions: [u64; 2],
    sizes: Vec<Size>,
    free: usize,
}

/// The bytes of a shard's file.
pub fn encode(plan: &Plan, shard: usize, counts: &Counts) -> Vec<u8> {
    let header = Header {
        plan: plan.clone(),
        shard,
        positions: counts.positions,
        sizes: counts.sizes.clone(),
        free: counts.free.len(),
    };
    let mut bytes = serde_json::to_vec(&header).expect("a header is plain data");
    bytes.push(b'\n');
    bytes.extend(counts.free.iter().flat_map(|set| set.to_le_bytes()));
    for values in &counts.values {
        push(&mut bytes, values.counts().count() as u64);
        let mut before = 0;
        for (value, times) in values.counts() {
            push(&mut bytes, u64::from(value - before));
            push(&mut bytes, times);
            before = value;
        }
    }
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// What [`encode`] wrote for this plan and shard, or why these bytes are not that.
pub(super) fn decode(bytes: &[u8], plan: &Plan, shard: usize) -> Result<Counts, &'static str> {
    let (content, sum) = bytes.split_last_chunk::<4>().ok_or("it is cut short")?;
    if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
        return Err("its checksum does not fit");
    }
    let end = content.iter().position(|&byte| byte == b'\n').ok_or("it has no header")?;
    let header: Header =
        serde_json::from_slice(&content[..end]).map_err(|_| "its header is of another version")?;
    if header.plan != *plan {
        return Err("it belongs to another plan");
    }
    if header.shard != shard {
        return Err("it is another shard of this plan");
    }
    let mut rest = &content[end + 1..];
    let parsed = (|| {
        let free = (0..header.free).map(|_| {
            let (set, after) = rest.split_first_chunk::<8>()?;
            rest = after;
            Some(u64::from_le_bytes(*set))
        });
        let free = free.collect::<Option<Vec<u64>>>()?;
        let mut values = Vec::new();
        for _ in &header.sizes {
            let mut of_size = Values::new();
            let mut value = 0u32;
            for _ in 0..pull(&mut rest)? {
                value = value.checked_add(pull(&mut rest)?.try_into().ok()?)?;
                of_size.record_many(value, pull(&mut rest)?);
            }
            values.push(of_size);
        }
        let counts =
            Counts { positions: header.positions, sizes: header.sizes.clone(), values, free };
        rest.is_empty().then_some(counts)
    })();
    parsed.ok_or("its numbers do not parse")
}

/// Appends a number, 7 bits a byte, lowest first, the high bit set on all but the last.
fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front.
fn pull(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_back_and_nothing_else_is_taken_for_one() {
        let plan = Plan::with("4x5".parse().unwrap(), &[6, 8, 11, 13], 2, 3).unwrap();
        let mut counts = Counts::empty(&plan, [3, 4]);
        counts.free = vec![3, 1 << 40, u64::MAX];
        for value in [0, 1, 127, 128, 70_000, 1 << 20, u32::MAX] {
            counts.values[1].record_many(value, 1 + u64::from(value) * 3);
        }
        let bytes = encode(&plan, 1, &counts);
        assert_eq!(decode(&bytes, &plan, 1).as_ref(), Ok(&counts));
        let other = Plan::with("4x5".parse().unwrap(), &[6, 8, 11, 13], 2, 2).unwrap();
        assert_eq!(decode(&bytes, &other, 1), Err("it belongs to another plan"));
        assert_eq!(decode(&bytes, &plan, 2), Err("it is another shard of this plan"));
        for at in (0..bytes.len()).step_by(7) {
            assert!(decode(&bytes[..at], &plan, 1).is_err(), "cut at {at}");
            let mut flipped = bytes.clone();
            flipped[at] ^= 4;
            assert_eq!(decode(&flipped, &plan, 1), Err("its checksum does not fit"));
        }
    }
}
