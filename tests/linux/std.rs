// SPDX-License-Identifier: BSD-2-Clause
// std.rs - threads, maps, channels and panics of Rust's std.
use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::thread;

fn main() {
    let (send, receive) = channel();
    let threads: Vec<_> = (0..4u64)
        .map(|i| {
            let send = send.clone();
            thread::spawn(move || send.send((i, (0..1000).map(|k| k * i).sum::<u64>())).unwrap())
        })
        .collect();
    for t in threads {
        t.join().unwrap();
    }
    drop(send);
    println!("{:?}", receive.iter().collect::<BTreeMap<_, _>>());
    println!("{}", thread::spawn(|| panic!("on purpose")).join().is_err());
}
