//! Clobber pieces: every kernel against the definition, every road to the same
//! pieces, every figure known of them.

use indicatif::ProgressBar;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use zobrist_lab::board::Board;
use zobrist_lab::game::{Game, Mover, clobber};
use zobrist_lab::pieces::census::{self, Plan};
use zobrist_lab::pieces::folds::{self, Folds, Orbits, ValueCounts};
use zobrist_lab::pieces::{Expansion, Frame, KERNELS, Key, PieceKernel, Pieces, reach, solve};
use zobrist_lab::tier::{self, Tier};
use zobrist_lab::value::{Outcome, Values};

fn frame(board: &str) -> Frame {
    Frame::new(board.parse().unwrap()).unwrap()
}

fn best() -> &'static dyn PieceKernel {
    tier::pick(KERNELS, None, Tier::best()).unwrap().1
}

fn reachable(frame: &Frame, key: Key) -> Pieces {
    Pieces::reachable(frame, frame.start(), key, best(), &ProgressBar::hidden())
}

/// Each piece's moves, sorted: mover and sorted live parts.
fn moves(expansion: &Expansion) -> Vec<Vec<(bool, Vec<u64>)>> {
    let (mut entries, mut parts) = (expansion.moves.iter(), expansion.parts.iter());
    let each = expansion.counts.iter().map(|&count| {
        let mut moves: Vec<_> = entries
            .by_ref()
            .take(usize::from(count))
            .map(|&entry| {
                let (mover, count) = Expansion::decode(entry);
                let mut parts: Vec<u64> = parts.by_ref().take(count).copied().collect();
                parts.sort_unstable();
                (mover == Mover::Right, parts)
            })
            .collect();
        moves.sort();
        moves
    });
    let moves = each.collect();
    assert_eq!((entries.next(), parts.next()), (None, None), "counts cover all");
    moves
}

/// Random stones: each square is empty, blue or red.
fn random_position(frame: &Frame, random: &mut ChaCha8Rng) -> u64 {
    let density = u64::from(random.next_u32() % 5) + 1;
    let (mut blue, mut red) = (0, 0);
    for square in 0..frame.board().squares() {
        let draw = random.next_u64();
        if draw % 6 < density {
            *(if draw >> 32 & 1 == 0 { &mut blue } else { &mut red }) |= 1 << square;
        }
    }
    clobber::position(frame.board(), blue, red)
}

#[test]
fn every_kernel_agrees_with_the_definition() {
    let oracle = KERNELS[0].get().unwrap();
    let boards = [
        "1x1", "1x2", "1x7", "1x32", "2x2", "2x3", "2x16", "3x3", "3x4", "3x10", "4x4", "4x5",
        "4x8", "5x5", "5x6", "6x5", "7x1",
    ];
    let mut covered = vec![];
    for kernel in &KERNELS[1..] {
        let Some(tested) = kernel.get() else { continue };
        covered.push(kernel.name);
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut parts = 0;
        for frame in boards.map(frame) {
            for length in [0, 1, 2, 7, 8, 9, 15, 16, 17, 64, 300] {
                let mut pieces: Vec<u64> =
                    (0..length + 1).map(|_| random_position(&frame, &mut random)).collect();
                // An unaligned slice.
                let pieces = &mut pieces[1..];
                let what = format!("{} on {}, {length} pieces", kernel.name, frame.board());
                let live: Vec<u64> =
                    pieces.iter().flat_map(|&piece| reach::live_parts(&frame, piece)).collect();
                parts += live.len();

                // Dirty scratch: expansions are appended to what is there.
                let dirty = Expansion { counts: vec![1], moves: vec![1], parts: vec![3] };
                let (mut expected, mut got) = (dirty.clone(), dirty);
                oracle.expand(&frame, &live, &mut expected);
                tested.expand(&frame, &live, &mut got);
                assert_eq!(moves(&got), moves(&expected), "{what}: expand");

                let mut cornered = pieces.to_vec();
                oracle.corner(&frame, &mut cornered);
                tested.corner(&frame, pieces);
                assert_eq!(pieces, cornered, "{what}: corner");

                cornered.retain(|&piece| piece != 0);
                let (mut expected, mut got) =
                    (vec![[7; 8]; cornered.len()], vec![[9; 8]; cornered.len()]);
                oracle.images(&frame, &cornered, &mut expected);
                tested.images(&frame, &cornered, &mut got);
                assert_eq!(got, expected, "{what}: images");

                for key in Key::ALL {
                    let (mut expected, mut got) = (cornered.clone(), cornered.clone());
                    let (mut signs, mut got_signs) =
                        (vec![false; cornered.len()], vec![true; cornered.len()]);
                    oracle.keys(&frame, key, &mut expected, &mut signs);
                    tested.keys(&frame, key, &mut got, &mut got_signs);
                    assert_eq!((got, got_signs), (expected, signs), "{what}: keys by {key}");
                }
            }
        }
        assert!(parts > 5_000, "{parts} live pieces were expanded");
    }
    println!("piece kernels covered: {}", covered.join(", "));
    assert!(covered.contains(&"scalar"));
}

#[test]
fn a_key_is_one_for_all_images_and_its_sign_tells_the_colours() {
    let kernel = KERNELS[0].get().unwrap();
    let frame = frame("4x5");
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for _ in 0..300 {
        let mut piece = [random_position(&frame, &mut random)];
        if piece[0] == 0 {
            continue;
        }
        kernel.corner(&frame, &mut piece);
        let mut images = [[0; 8]];
        kernel.images(&frame, &piece, &mut images);
        let images: Vec<u64> = images[0].into_iter().filter(|&image| image != 0).collect();
        let swapped: Vec<u64> = images.iter().map(|&image| frame.swapped(image)).collect();
        let keys = |list: &[u64], key| {
            let (mut list, mut signs) = (list.to_vec(), vec![false; list.len()]);
            kernel.keys(&frame, key, &mut list, &mut signs);
            (list, signs)
        };
        let by_symmetry = keys(&images, Key::Symmetry).0;
        assert!(by_symmetry.iter().all(|&key| key == by_symmetry[0]));
        let (own, own_signs) = keys(&images, Key::Both);
        let (other, other_signs) = keys(&swapped, Key::Both);
        assert!(own.iter().chain(&other).all(|&key| key == own[0]));
        let self_negative = images.contains(&frame.swapped(piece[0]));
        assert!(own_signs.iter().all(|&sign| sign == own_signs[0]));
        assert!(other_signs.iter().all(|&sign| sign == (!own_signs[0] && !self_negative)));
    }
}

#[test]
fn recursion_and_whole_boards_reach_the_same_pieces() {
    for board in ["1x2", "1x9", "2x2", "2x5", "5x2", "3x3", "2x6", "3x4", "4x3"] {
        let frame = frame(board);
        let pieces = reachable(&frame, Key::Piece);
        let mut found: Vec<u64> = pieces.layers().concat();
        found.sort_unstable();
        let expected: Vec<u64> =
            reach::by_whole_boards(&frame, frame.start()).into_iter().collect();
        assert_eq!(found, expected, "{board}");
        for (stones, layer) in pieces.layers().iter().enumerate() {
            assert!(layer.iter().all(|piece| piece.count_ones() as usize == stones));
        }
    }
}

/// Board, its folds, pieces, and what the values of the pieces are.
fn known() -> [(&'static str, usize, Folds, [u64; 3]); 4] {
    let folds = |colour, symmetry, both, swap_present, self_negative_shape, own_symmetry| Folds {
        orbits: Orbits { colour: Some(colour), symmetry: Some(symmetry), both: Some(both) },
        swap_present,
        self_negative_shape,
        own_symmetry,
    };
    [
        ("3x4", 11_191, folds(9_956, 4_689, 2_376, 2_470, 159, 563), [632, 4_195, 2_079]),
        ("2x6", 4_999, folds(4_292, 2_207, 1_125, 1_414, 109, 229), [286, 2_153, 1_090]),
        (
            "3x5",
            126_811,
            folds(116_895, 31_541, 29_199, 19_832, 268, 1_815),
            [4_932, 35_015, 17_253],
        ),
        (
            "4x4",
            395_947,
            folds(362_311, 91_103, 45_643, 67_272, 935, 3_103),
            [23_608, 70_509, 33_976],
        ),
    ]
}

#[test]
fn pieces_folds_and_values_are_the_known_ones() {
    for (board, count, expected, [distinct, self_negative, zero]) in known() {
        let frame = frame(board);
        let hidden = ProgressBar::hidden();
        let pieces = reachable(&frame, Key::Piece);
        assert_eq!(pieces.len(), count, "{board}");
        assert_eq!(folds::count(&pieces, &Key::ALL, &hidden), expected, "{board}");
        let values = Values::with_caches(18);
        solve::value_all(&pieces, &values, &hidden);
        let (counts, largest_birthday) =
            folds::count_values(&pieces, &values, &hidden, |_, _, _| ());
        let ValueCounts { mirror_checks, colour_checks, failures, .. } = counts;
        let numbers = pieces.layers().iter().flatten();
        let born = numbers.map(|&piece| values.birthday(pieces.value(&values, piece).unwrap()));
        assert_eq!(Some(largest_birthday), born.max(), "{board}");
        assert_eq!(failures, 0, "{board}");
        assert_eq!(
            [counts.distinct, counts.self_negative, counts.zero],
            [distinct, self_negative, zero],
            "{board}"
        );
        assert_eq!(colour_checks, expected.swap_present, "{board}");
        match board {
            "3x4" => {
                assert_eq!(mirror_checks, 22_784);
                // Hardly fewer than the 2,079 worth nought.
                let star = values.nimber(1);
                let stars = pieces.layers().iter().flatten();
                let stars = stars.filter(|&&piece| pieces.value(&values, piece) == Some(star));
                assert_eq!(stars.count(), 1_998);
            }
            "4x4" => {
                assert_eq!(mirror_checks, 1_453_724);
                assert_eq!(pieces.live_parts(), 5_063_416);
                // The known 1,456,929 counts the images that are the piece itself, too.
                let list = pieces.layers().concat();
                let mut images = vec![[0; 8]; list.len()];
                best().images(&frame, &list, &mut images);
                let itself = |(piece, images): (&u64, &[u64; 8])| {
                    images[1..].iter().filter(|&image| image == piece).count() as u64
                };
                let itself: u64 = list.iter().zip(&images).map(itself).sum();
                assert_eq!(mirror_checks + itself, 1_456_929);
            }
            _ => assert!(mirror_checks > 0),
        }
        // Every key values every piece alike.
        if count < 20_000 {
            for key in Key::ALL {
                let keyed = reachable(&frame, key);
                let orbits = match key {
                    Key::Piece => Some(count as u64),
                    Key::Colour => expected.orbits.colour,
                    Key::Symmetry => expected.orbits.symmetry,
                    Key::Both => expected.orbits.both,
                };
                assert_eq!(Some(keyed.len() as u64), orbits, "{board} by {key}");
                solve::value_all(&keyed, &values, &hidden);
                for &piece in pieces.layers().iter().flatten() {
                    assert_eq!(keyed.value(&values, piece), pieces.value(&values, piece));
                }
            }
        }
    }
}

#[test]
fn colour_keys_make_negatives_and_nothing_else() {
    for (board, by_piece, by_colour) in [("3x4", 701, 701), ("3x5", 5_696, 9_535)] {
        let frame = frame(board);
        let value_by = |key, values: &Values| {
            let pieces = reachable(&frame, key);
            solve::value_all(&pieces, values, &ProgressBar::hidden());
            values.len()
        };
        assert_eq!(value_by(Key::Colour, &Values::new()), by_colour, "{board}");
        let values = Values::new();
        assert_eq!(value_by(Key::Piece, &values), by_piece, "{board}");
        for number in 0..by_piece as u32 {
            values.negative(values.get(number).unwrap());
        }
        let closed = values.len();
        assert!(closed >= by_colour, "{board}: {closed}");
        assert_eq!(value_by(Key::Colour, &values), closed, "{board}: only negatives are new");
    }
}

#[test]
#[ignore = "50 CPU seconds and 0.6 GB"]
fn the_values_of_4x5() {
    let plan = Plan {
        frame: frame("4x5"),
        folds: vec![],
        values: Some(Key::Both),
        kernel: best(),
        checkpoint: None,
    };
    let census = census::take(&plan, &|_, _| ProgressBar::hidden()).unwrap();
    let counts = census.valued.unwrap().counts;
    assert_eq!(census.pieces.len(), 12_319_610);
    assert_eq!((counts.distinct, counts.failures), (1_252_475, 0));
}

#[test]
fn openings_are_worth_what_is_known() {
    let values = Values::new();
    let value = |board: &str, key| {
        let frame = frame(board);
        solve::position_value(&frame, frame.start(), key, best(), &values)
    };
    for (board, known) in [
        ("2x3", "0"),
        ("1x6", "0"),
        ("2x6", "0"),
        ("3x4", "0"),
        ("4x3", "0"),
        ("1x4", "{∗,↑|∗,↓}"),
        ("2x4", "∗"),
        ("1x5", "{∗|↓}"),
        ("1x7", "{↓,{∗,↑|∗,↓}|0}"),
        ("7x1", "{↓,{∗,↑|∗,↓}|0}"),
        ("1x9", "↓∗"),
        ("3x3", "∗"),
        ("1x1", "0"),
    ] {
        for key in Key::ALL {
            assert_eq!(values.notation(value(board, key)), known, "{board} by {key}");
        }
    }
    for board in ["1x8", "2x5"] {
        let opening = value(board, Key::Both);
        assert_eq!(values.negative(opening), opening, "{board}");
        assert_eq!(values.outcome(opening), Outcome::First, "{board}");
        assert!(values.birthday(opening) > 3, "{board}");
    }
    for board in ["1x5", "1x7"] {
        assert_eq!(values.outcome(value(board, Key::Piece)), Outcome::Right, "{board}");
    }
}

#[test]
fn a_colour_changing_mirror_makes_the_opening_its_own_negative() {
    let values = Values::new();
    for rows in 1..=3 {
        for columns in rows..=10 / rows {
            let frame = Frame::new(Board::new(rows, columns).unwrap()).unwrap();
            let even = rows % 2 == 0 || columns % 2 == 0;
            assert_eq!(frame.has_colour_changing_symmetry(), even, "{rows}x{columns}");
            let opening = solve::position_value(&frame, frame.start(), Key::Both, best(), &values);
            assert!(!even || values.negative(opening) == opening, "{rows}x{columns}");
        }
    }
}

#[test]
fn the_rules_of_the_game_are_those_of_the_pieces() {
    let frame = frame("3x5");
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for position in
        (0..200).flat_map(|_| reach::live_parts(&frame, random_position(&frame, &mut random)))
    {
        for mover in Mover::BOTH {
            let mut after = vec![];
            clobber::Clobber.moves(frame.board(), mover, position, &mut after);
            let mut expansion = Expansion::default();
            best().expand(&frame, &[position], &mut expansion);
            let counted =
                expansion.moves.iter().filter(|&&entry| Expansion::decode(entry).0 == mover);
            assert_eq!(counted.count(), after.len());
        }
    }
}
