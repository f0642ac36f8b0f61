//! How much memory is free, asked before a large job allocates it, and large
//! pages for what is read at random.
//!
//! ```
//! use zobrist_lab::memory;
//! assert!(memory::require("a page", 4096, "").is_ok());
//! let refused = memory::require("all of it", u64::MAX, "; less would do").unwrap_err();
//! assert!(refused.to_string().starts_with("all of it needs 16777216.0 TiB of memory"));
//! ```

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;
use memmap2::MmapMut;

use std::path::Path;

use crate::error::Error;

/// Bytes that a new allocation can hope for: the system's free and reclaimable
/// memory, or what is left of the control group's limit if that is less.
/// `None` where the system does not say.
pub fn available() -> Option<u64> {
    let free = kernel_figure("/proc/meminfo", "MemAvailable:")?;
    Some(control_group_room().map_or(free, |room| room.min(free)))
}

/// What is left of the tightest control-group limit over this process, if
/// there is one: both versions, and the groups that a group stands in.
fn control_group_room() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let rooms = groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next().unwrap_or(""), fields.next().unwrap_or("/"));
        let [root, limit, usage] = match controllers {
            "" => ["/sys/fs/cgroup", "memory.max", "memory.current"],
            _ => ["/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"],
        };
        let ours = controllers.is_empty() || controllers.split(',').any(|name| name == "memory");
        let ancestors = Path::new(path).ancestors().filter(move |_| ours);
        ancestors.filter_map(move |group| {
            let group = format!("{root}{}", group.display());
            let figure = |file: &str| {
                std::fs::read_to_string(format!("{group}/{file}")).ok()?.trim().parse::<u64>().ok()
            };
            Some(figure(limit)?.saturating_sub(figure(usage)?) + reclaimable(&group))
        })
    });
    rooms.min()
}

/// Bytes of a group's page cache that were not used of late.
fn reclaimable(group: &str) -> u64 {
    let stat = std::fs::read_to_string(format!("{group}/memory.stat")).unwrap_or_default();
    let bytes = stat.lines().find_map(|line| line.strip_prefix("inactive_file "));
    bytes.and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}

/// Refuses a job that needs more than is free; `hint` (starting with `; `, or
/// empty) says what would fit. Where the system does not tell, lets it pass.
///
/// # Errors
/// `needed` bytes are more than [`available`].
pub fn require(what: &str, needed: u64, hint: &str) -> Result<(), Error> {
    require_or(what, needed, |_| hint.into())
}

/// [`require`], with a hint made from what is available.
///
/// # Errors
/// As [`require`].
pub fn require_or(what: &str, needed: u64, hint: impl FnOnce(u64) -> String) -> Result<(), Error> {
    // Asking takes a tenth of a millisecond, as long as some jobs.
    if needed <= SMALL {
        return Ok(());
    }
    match available() {
        Some(available) if needed > available => {
            Err(Error::Memory { what: what.into(), needed, available, hint: hint(available) })
        }
        _ => Ok(()),
    }
}

/// A job of so many bytes is not worth asking for: 64 MiB.
const SMALL: u64 = 64 << 20;

/// The most memory this process has held so far, in bytes, where the system says.
pub fn peak() -> Option<u64> {
    kernel_figure("/proc/self/status", "VmHWM:")
}

/// A figure of one of the kernel's tables (`MemAvailable:   123 kB`), in bytes.
fn kernel_figure(table: &str, name: &str) -> Option<u64> {
    let table = std::fs::read_to_string(table).ok()?;
    let figure = table.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = figure.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// A slice of zeros in pages as large as the system gives, for tables that are
/// read at random: with pages of 4 KiB every such read misses the TLB as well.
///
/// ```
/// let mut table = zobrist_lab::memory::Zeroed::<u32>::new(1 << 20)?;
/// table[77] = 5;
/// assert_eq!(table.iter().sum::<u32>(), 5);
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
pub struct Zeroed<T> {
    map: MmapMut,
    items: PhantomData<T>,
}

impl<T: Pod> Zeroed<T> {
    /// `len` zeros.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub fn new(len: usize) -> Result<Self, Error> {
        let refused = |source| Error::io("anonymous memory".as_ref(), source);
        let map = MmapMut::map_anon(len * size_of::<T>()).map_err(refused)?;
        // A wish: where large pages are off the table works all the same.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, items: PhantomData })
    }
}

impl<T: Pod> Zeroed<T> {
    /// The same memory as items of another kind and the same size.
    pub fn cast<U: Pod>(self) -> Zeroed<U> {
        assert_eq!(size_of::<T>(), size_of::<U>(), "items of different sizes");
        Zeroed { map: self.map, items: PhantomData }
    }
}

impl<T: Pod> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.map)
    }
}

impl<T: Pod> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map)
    }
}

/// Asks for the cache line of `item` before it is needed. A hint: it changes
/// no result, and does nothing where the CPU has no such instruction here.
#[inline]
pub fn fetch<T>(item: &T) {
    prefetch::<T, true>(item);
}

/// [`fetch`] into the second-level cache only: for more lines than the first level holds.
#[inline]
pub fn fetch_many<T>(item: &T) {
    prefetch::<T, false>(item);
}

/// Asks for a cache line, into the nearest cache or the next one.
#[inline]
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the prefetch instruction takes a raw pointer")
)]
fn prefetch<T, const NEAREST: bool>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        let line = std::ptr::from_ref(item).cast();
        // SAFETY: the pointer comes from a reference, and a prefetch reads nothing.
        unsafe {
            match NEAREST {
                true => _mm_prefetch::<_MM_HINT_T0>(line),
                false => _mm_prefetch::<_MM_HINT_T1>(line),
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
