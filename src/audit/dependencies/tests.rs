//! Dependencies against their definition, and a chess engine's known ones.

use super::*;
use proptest::prelude::*;

/// The definition: every set of every weight.
fn by_definition(words: &[u128], weight: usize) -> Vec<Vec<usize>> {
    let sets = 0u32..1 << words.len();
    let sets = sets.filter(|set| set.count_ones() as usize == weight);
    let members = |set: u32| (0..words.len()).filter(move |word| set >> word & 1 == 1);
    let zero = |set: &u32| members(*set).fold(0, |sum, word| sum ^ words[word]) == 0;
    let mut zeros: Vec<Vec<usize>> = sets.filter(zero).map(|set| members(set).collect()).collect();
    zeros.sort();
    zeros
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Few distinct words, so that zero, equal and meeting halves abound.
    #[test]
    fn counts_and_sets_are_those_of_the_definition(
        words in prop::collection::vec(0u128..64, 1..14),
        high in any::<bool>(),
    ) {
        let width = if high { 100 } else { 9 };
        let key = Words::new(width, words.iter().map(|word| word << (width - 8)).collect());
        let lengths = [1, 3, 5, 8, width];
        for side in [Side::Top, Side::Low] {
            let found =
                dependencies(&key, side, &lengths, 6, 1000, &ProgressBar::hidden()).unwrap();
            for (length, weights) in lengths.into_iter().zip(found) {
                for Dependencies { weight, count, first } in weights {
                    let sets = by_definition(&key.cut(side, length), weight);
                    prop_assert_eq!(count, sets.len() as u64, "weight {}", weight);
                    prop_assert!(first.iter().all(|set| sets.binary_search(set).is_ok()));
                    prop_assert!(sets.len() > 8 || first == sets, "{:?} {:?}", first, sets);
                }
            }
        }
    }
}

fn xorshift64star(count: usize) -> Words {
    let mut x: u64 = 1_070_372;
    let words = std::iter::repeat_with(|| {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        u128::from(x.wrapping_mul(2_685_821_657_736_338_717))
    });
    Words::new(64, words.take(count).collect())
}

#[test]
fn known_dependencies_of_a_chess_engines_words() {
    let key = xorshift64star(781);
    let lengths = [20, 24, 32, 48, 64];
    let hidden = ProgressBar::hidden();
    let found = dependencies(&key, Side::Top, &lengths, 4, 3, &hidden).unwrap();
    let counts = found.iter().map(|weights| (weights[2].count, weights[3].count));
    assert_eq!(counts.collect::<Vec<_>>(), [(67, 14_458), (4, 922), (0, 1), (0, 0), (0, 0)]);
    for (length, weights) in lengths.into_iter().zip(&found) {
        let words = key.cut(Side::Top, length);
        for Dependencies { weight, count, first } in weights {
            assert_eq!(first.len() as u64, (*count).min(3));
            for set in first {
                assert_eq!(set.len(), *weight);
                assert_eq!(set.iter().fold(0, |sum, &word| sum ^ words[word]), 0);
            }
        }
    }
}

/// The prefix splits hundreds of thousands of sums; a small table's are in one piece.
#[test]
fn weight_six_by_prefixes_equals_weight_six_by_definition_in_expectation() {
    let key = xorshift64star(160);
    let hidden = ProgressBar::hidden();
    let found = dependencies(&key, Side::Low, &[16, 24], 6, 2, &hidden).unwrap();
    // C(160, 5) / 2^16 = 12,511 and C(160, 6) / 2^24 = 1,263: within five deviations.
    assert!(found[0][4].count.abs_diff(12_511) < 5 * 112, "{:?}", found[0][4]);
    assert!(found[1][5].count.abs_diff(1_263) < 5 * 36, "{:?}", found[1][5]);
}

fn choose(n: u64, k: u64) -> u64 {
    (1..=k).fold(1u128, |sets, i| sets * u128::from(n + 1 - i) / u128::from(i)) as u64
}

/// Counts have closed forms; of the millions of sets a few are listed, and are sets.
#[test]
fn tables_of_equal_and_zero_words_are_counted_and_not_enumerated() {
    let hidden = ProgressBar::hidden();
    let equal = vec![7u128; 4096];
    let zero = vec![0u128; 4096];
    let half: Vec<u128> = (0..4096).map(|word| if word % 2 == 0 { 7 } else { 0 }).collect();
    // The zero words are free to join; of the others an even number.
    let mixed = |weight: u64| -> u64 {
        (0..=weight).step_by(2).map(|k| choose(2048, k) * choose(2048, weight - k)).sum()
    };
    let all = |weight: u64| choose(4096, weight);
    let even = |weight: u64| if weight.is_multiple_of(2) { all(weight) } else { 0 };
    for (name, words) in [("equal", equal), ("zero", zero), ("half", half)] {
        let expected = |weight| match name {
            "equal" => even(weight),
            "zero" => all(weight),
            _ => mixed(weight),
        };
        for width in [64, 100] {
            let key = Words::new(width, words.clone());
            let lengths = [1, 2, 40, width];
            for side in [Side::Top, Side::Low] {
                let found = dependencies(&key, side, &lengths, 6, 3, &hidden).unwrap();
                for (length, weights) in lengths.into_iter().zip(found) {
                    // Above its three lowest bits a word is zero.
                    let whole = side == Side::Low || length == width;
                    let cut = key.cut(side, length);
                    for Dependencies { weight, count, first } in weights {
                        let at = weight as u64;
                        let expected = if whole { expected(at) } else { all(at) };
                        assert_eq!(count, expected, "{name}, {side:?} {length}, weight {weight}");
                        assert_eq!(first.len() as u64, count.min(3), "{name}, weight {weight}");
                        for set in first {
                            assert_eq!(set.len(), weight);
                            assert_eq!(set.iter().fold(0, |sum, &word| sum ^ cut[word]), 0);
                        }
                    }
                }
            }
        }
    }
}

/// The definition would take 2^40 steps: by words of few bits, the sets are a convolution.
#[test]
fn repeated_words_among_others_are_counted_exactly() {
    let mut words: Vec<u128> = xorshift64star(60).words.iter().map(|word| word >> 54).collect();
    words.extend(std::iter::repeat_n(words[3], 17));
    words.extend([0; 9]);
    words.extend(std::iter::repeat_n(words[8], 4));
    // Sets of each weight with each sum, a word at a time.
    let mut sets = vec![[0u64; 7]; 1024];
    sets[0][0] = 1;
    for &word in &words {
        let before = sets.clone();
        for (sum, of_sum) in sets.iter_mut().enumerate() {
            for weight in 1..7 {
                of_sum[weight] += before[sum ^ word as usize][weight - 1];
            }
        }
    }
    let found =
        dependencies(&Words::new(10, words), Side::Top, &[10], 6, 3, &ProgressBar::hidden());
    let counts: Vec<u64> = found.unwrap()[0].iter().map(|weight| weight.count).collect();
    assert_eq!(counts, sets[0][1..]);
}
