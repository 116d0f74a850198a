# SPDX-License-Identifier: BSD-2-Clause
# Profiles name functions: those of a stripped program by its debug file, in each place where perf finds it, and those
# of Rust programs as in their sources.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/work.c" <<'SOURCE'
volatile unsigned long x;
static __attribute__((noinline)) void busy(void) { for (long i = 0; i < 200000; i++) x += i; }
int main(void) { busy(); return 0; }
SOURCE
cat >"$dir/work.rs" <<'SOURCE'
use std::hint::black_box;
trait Work { fn busy(&self) -> u64; }
impl Work for Vec<u64> {
    #[inline(never)]
    fn busy(&self) -> u64 { (0..100000u64).fold(0, |a, i| a ^ black_box(i)) }
}
fn main() { black_box(black_box(vec![1u64]).busy()); }
SOURCE

# most PROGRAM FUNCTION: checks that FUNCTION has most of the program's events.
most() {
	$perf0 record --machine-timeout $patience --folded -o "$dir/folded" -e instructions:u -c 2003 -- "$dir/$1" \
		>"$dir/log" 2>&1
	is "$1: exit status" $? 0
	is "$1: by name" "$(sed 's/^.*;\([^;]*\) \([0-9]*\)$/\2 \1/' "$dir/folded" |
		awk '{ n = $1; sub(/^[0-9]* /, ""); all[$0] += n } END { for (f in all) print all[f], f }' |
		sort -rn | sed -n '1s/^[0-9]* //p')" "$2"
}

gcc -O1 -g -o "$dir/full" "$dir/work.c"
objcopy --only-keep-debug "$dir/full" "$dir/work.debug"
objcopy -S --add-gnu-debuglink="$dir/work.debug" "$dir/full" "$dir/linked"
objcopy -S "$dir/full" "$dir/bare"
most linked busy
id=$(readelf -n "$dir/full" | sed -n 's/.*Build ID: //p')
rest=${id#??}
mkdir -p "$dir/debug/.build-id/${id%"$rest"}"
mv "$dir/work.debug" "$dir/debug/.build-id/${id%"$rest"}/$rest.debug"
export PERF0_DEBUG_PATH="$dir/debug"
most bare busy
$perf0 gate --update --baseline "$dir/baseline" -- "$dir/bare" >"$dir/log" 2>&1
is "gate: its function by name" "$(grep -c 'busy' "$dir/baseline" | awk '{ print ($1 > 0) }')" 1

# rust WHAT OPTION...: builds the Rust program with these options, and checks that $wanted has most of its events.
rust() {
	what=$1
	shift
	if ! command -v rustc >/dev/null; then
		skip "$what" "no rustc here"
	elif RUSTC_BOOTSTRAP=1 rustc -O "$@" -o "$dir/$what" "$dir/work.rs" 2>"$dir/log"; then
		most "$what" "$wanted"
	else
		not_ok "$what is built" "$(cat "$dir/log")"
	fi
}
wanted='<alloc::vec::Vec<u64> as work::Work>::busy'
rust rust-v0 -C symbol-mangling-version=v0
wanted='<alloc::vec::Vec<u64> as work::Work>::busy'
rust rust-legacy -Z unstable-options -C symbol-mangling-version=legacy
finish
