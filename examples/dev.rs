use zobrist_lab::pieces::*; use zobrist_lab::tier; use indicatif::ProgressBar; use std::time::Instant;
fn main() {
    let kernel = tier::pick(KERNELS, None, tier::Tier::best()).unwrap().1;
    for b in std::env::args().skip(1) {
        let frame = Frame::new(b.parse().unwrap()).unwrap();
        for key in Key::ALL {
            let t = Instant::now();
            let p = Pieces::reachable(&frame, frame.start(), key, kernel, &ProgressBar::hidden());
            let s = t.elapsed();
            println!("{b} {key} {} parts {} {:?} {:.1} ns/part bytes {}", p.len(), p.live_parts(), s, s.as_nanos() as f64 / p.live_parts() as f64, p.bytes());
        }
    }
}
