//! Walsh–Hadamard transforms over the integers, and the autocorrelation by way
//! of them.
//!
//! The transform of `f` at `u` is the sum over `x` of `f(x)` times −1 to the
//! number of squares that `x` and `u` share:
//!
//! ```text
//! signs + + − + + − + +   (0 is +1, 1 is −1 in 00100100)
//! transform 4 0 0 4 0 −4 4 0
//! ```

mod oracle;

use crate::tier::Kernel;

/// A way to transform.
pub trait WalshKernel: Sync {
    /// The transform, in place and unnormalised, of `2^n` cells.
    fn forward(&self, cells: &mut [i32]);
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn WalshKernel>] = &[oracle::KERNEL];
