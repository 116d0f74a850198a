// SPDX-License-Identifier: BSD-2-Clause
// main.rs - the same with Rust; its tests run where cargo's runner says, too.
fn numbers(n: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..n).map(|i| i.wrapping_mul(2654435761) >> 8).collect();
    numbers.sort_unstable();
    numbers
}

fn main() {
    let sorted = numbers(10000);
    println!("{} numbers, the middle one is {}", sorted.len(), sorted[5000]);
}

#[test]
fn they_are_sorted() {
    assert!(numbers(1000).windows(2).all(|w| w[0] <= w[1]));
}
