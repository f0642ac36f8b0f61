use indicatif::ProgressBar;
use std::time::Instant;
use zobrist_lab::tier;
use zobrist_lab::{pieces::*, value::*};
fn user() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<_> = s.split(' ').collect();
    f[13].parse::<f64>().unwrap() * 10.0
}
fn main() {
    let kernel = tier::pick(KERNELS, None, tier::Tier::best()).unwrap().1;
    let hidden = ProgressBar::hidden();
    for b in std::env::args().skip(1) {
        let frame = Frame::new(b.parse().unwrap()).unwrap();
        for key in Key::ALL {
            let (t, u) = (Instant::now(), user());
            let p = Pieces::reachable(&frame, frame.start(), key, kernel, &hidden);
            println!(
                "{b} {key} {} parts {} {:?} user {} ms bytes {}",
                p.len(),
                p.live_parts(),
                t.elapsed(),
                user() - u,
                p.bytes()
            );
            let (t, u) = (Instant::now(), user());
            let values = Values::with_caches(20);
            solve::value_all(&p, &values, &hidden);
            println!(
                "   values {} bytes {} {:?} user {} ms",
                values.len(),
                values.bytes(),
                t.elapsed(),
                user() - u
            );
            if key == Key::Piece {
                let (t, u) = (Instant::now(), user());
                let f = folds::count(&p, &Key::ALL, &hidden);
                println!("   {f:?} {:?} user {} ms", t.elapsed(), user() - u);
                let (t, u) = (Instant::now(), user());
                let f = folds::count_values(&p, &values, &hidden, |_, _, _| ());
                println!("   {f:?} {:?} user {} ms", t.elapsed(), user() - u);
            }
        }
    }
}
