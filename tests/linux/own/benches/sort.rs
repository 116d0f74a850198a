// SPDX-License-Identifier: BSD-2-Clause
// sort.rs - a benchmark with a main() of its own: `cargo bench` builds it, and cargo's runner runs it.
fn main() {
    let mut numbers: Vec<u32> = (0..1000u32).map(|i| i.wrapping_mul(2654435761) >> 8).collect();
    numbers.sort_unstable();
    println!("1000 numbers, the middle one is {}", numbers[500]);
}
