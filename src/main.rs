//! The command `zlab`.

fn main() {}
