# SPDX-License-Identifier: BSD-2-Clause
# perf0 gate with programs of several harnesses: the figure of a benchmark is that of its loop. It stays the same when
# what prepares the benchmark changes, or when there is one more; it has what the measured code has more, to the digit.
. "$(dirname "$0")/../_lib.sh"
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY

# figures PROGRAM: the figure of each benchmark of $dir/PROGRAM, a line each; functions BENCHMARK: of its figure.
figures() {
	rm -f "$dir/baseline"
	$perf0 gate --update --tolerance 1% --baseline "$dir/baseline" -- "$dir/$1" >"$dir/out" 2>"$dir/err" || cat "$dir/out" "$dir/err"
	sed -n 's/^\([^	]*\)	inside	instructions:u	/\1 /p' "$dir/baseline"
}
functions() { awk -F'\t' -v b="$1" '$1 == b && $2 == "functions" { for (i = 4; i < NF; i += 5) print $i }' "$dir/baseline"; }
figure() { echo "$2" | awk -v b="$1" '{ n = $NF; sub(/ [0-9]+$/, "") } $0 == b { print n }'; }

# judge HARNESS BENCHMARK: by its programs base, setup (which prepares more), more (one more benchmark), and extra (three
# instructions more in each iteration), all in a folder of their own, so that the benchmarks have the same names.
judge() {
	base=$(figures base/prog)
	names=$(functions "prog/$2")
	setup=$(figures setup/prog)
	more=$(figures more/prog)
	extra=$(figures extra/prog)
	is "$1: a figure" "$(($(figure "prog/$2" "$base") > 50))" 1
	is "$1: what prepares it is outside" "$setup" "$base"
	is "$1: one more benchmark changes none" "$(figure "prog/$2" "$more") $(($(echo "$more" | wc -l) > $(echo "$base" | wc -l)))" \
		"$(figure "prog/$2" "$base") ${3:-1}"
	is "$1: three instructions more" "$(figure "prog/$2" "$extra")" $(($(figure "prog/$2" "$base") + 3))
}
mkdir "$dir/base" "$dir/setup" "$dir/more" "$dir/extra"

# build COMMAND...: makes each of the four programs, with -DSETUP, -DMORE or -DEXTRA.
build() {
	for which in base setup more extra; do
		"$@" -D$(echo $which | tr a-z A-Z) -o "$dir/$which/prog" >"$dir/log" 2>&1 || return
	done
}

# Google Benchmark.
cat >"$dir/gb.cc" <<'SOURCE'
#include <benchmark/benchmark.h>
#ifdef EXTRA
#define MORE_CODE __asm__ volatile("nop; nop; nop");
#else
#define MORE_CODE
#endif
#ifdef SETUP
#define PREPARED 5000
#else
#define PREPARED 50
#endif
__attribute__((noinline)) static unsigned work(unsigned n) { unsigned x = 1; for (; n; n--) { x = x * 5 + n; __asm__ volatile("" : "+r"(x) : : "memory"); } MORE_CODE return x; }
static void sum(benchmark::State &s) { unsigned x = work(PREPARED); for (auto _ : s) { x += work(30); } benchmark::DoNotOptimize(x); }
BENCHMARK(sum);
#ifdef MORE
static void other(benchmark::State &s) { for (auto _ : s) benchmark::DoNotOptimize(work(77)); }
BENCHMARK(other);
#endif
BENCHMARK_MAIN();
SOURCE
if build g++ -O2 "$dir/gb.cc" -lbenchmark -lpthread; then
	judge "Google Benchmark" sum
else
	skip "Google Benchmark" "# not run: no libbenchmark here"
fi

# nanobench is one header, which few systems have. A program with its classes' functions and its loop.
cat >"$dir/nb.cc" <<'SOURCE'
#include <chrono>
#include <cstdio>
#define APART __attribute__((noinline))
namespace ankerl::nanobench {
namespace detail {
struct PerformanceCounters { APART void beginMeasure() { __asm__ volatile("nop"); } APART void endMeasure() { __asm__ volatile("nop"); } };
struct IterationLogic {
	unsigned long iterations;
	int epochs;
	APART IterationLogic() : iterations(1), epochs(0) { __asm__ volatile(""); }
	APART unsigned long numIters() const { return iterations; }
	/* The clock decides. */
	APART void add(std::chrono::nanoseconds elapsed, PerformanceCounters const &) {
		if (elapsed < std::chrono::microseconds(50)) iterations *= 2;
		else if (++epochs == 11) iterations = 0;
	}
};
}
template <typename Op> APART void run(Op &&op)
{
	detail::IterationLogic logic;
	detail::PerformanceCounters pc;
	while (auto n = logic.numIters()) {
		pc.beginMeasure();
		auto before = std::chrono::steady_clock::now();
		while (n-- > 0) op();
		auto after = std::chrono::steady_clock::now();
		pc.endMeasure();
		logic.add(after - before, pc);
	}
}
}
#ifdef EXTRA
#define MORE_CODE __asm__ volatile("nop; nop; nop");
#else
#define MORE_CODE
#endif
#ifdef SETUP
#define PREPARED 5000
#else
#define PREPARED 50
#endif
APART unsigned work(unsigned n) { unsigned x = 1; for (; n; n--) { x = x * 5 + n; __asm__ volatile("" : "+r"(x) : : "memory"); } MORE_CODE return x; }
unsigned sum;
int main()
{
	sum = work(PREPARED);
	ankerl::nanobench::run([] { sum += work(30); });
#ifdef MORE
	puts("one more");
#endif
	return 0;
}
SOURCE
if build g++ -O2 -std=c++17 "$dir/nb.cc"; then
	figures base/prog >"$dir/nanobench"
	has "nanobench: the figure is its loop's" "$dir/nanobench" 'prog [0-9]+'
	base=$(figures base/prog) setup=$(figures setup/prog) more=$(figures more/prog) extra=$(figures extra/prog)
	is "nanobench: what prepares it is outside" "$setup $more" "$base $base"
	is "nanobench: three instructions more" "$(figure prog "$extra")" $(($(figure prog "$base") + 3))
	is "nanobench: one iteration" "$(($(figure prog "$base") > 60 && $(figure prog "$base") < 200))" 1
else
	not_ok "nanobench's program is built" "$(cat "$dir/log")"
fi

# libtest.
cat >"$dir/lt.rs" <<'SOURCE'
#![feature(test)]
extern crate test;
use test::{black_box, Bencher};
#[inline(never)]
fn work(n: u64) -> u64 {
    let x = (0..n).fold(1u64, |x, i| black_box(x).wrapping_mul(5).wrapping_add(i));
    #[cfg(extra)]
    unsafe { std::arch::asm!("nop", "nop", "nop", options(nomem, nostack, preserves_flags)) }
    x
}
#[cfg(setup)]
const PREPARED: u64 = 5000;
#[cfg(not(setup))]
const PREPARED: u64 = 50;
#[bench] fn sum(b: &mut Bencher) { let n = work(PREPARED) % 2; b.iter(|| work(black_box(30) + black_box(n) / 2)) }
#[cfg(more)]
#[bench] fn other(b: &mut Bencher) { b.iter(|| work(black_box(77))) }
#[test] fn it_is_no_benchmark() { assert_eq!(work(0), 1) }
SOURCE
if ! command -v rustc >/dev/null; then
	skip "libtest" "# not run: rustc --test: no rustc here"
else
	for which in base setup more extra; do
		RUSTC_BOOTSTRAP=1 rustc -O --test --cfg $which -o "$dir/$which/prog" "$dir/lt.rs" 2>"$dir/log" || not_ok "Rust's program is built" "$(cat "$dir/log")"
	done
	judge libtest sum
	base=$(figures base/prog)
	is "libtest: the functions are the benchmark's" "$(functions prog/sum | grep -vc 'sum\|work')" 0
fi

# Go: from ResetTimer on; a benchmark without it, as a whole.
if ! command -v go >/dev/null; then
	skip "Go" "# not run: go test -c: no go here"
else
	for which in base setup more extra; do
		at=$dir/$which/go
		mkdir "$at"
		printf 'module prog\ngo 1.18\n' >"$at/go.mod"
		{
			echo 'package prog'
			echo 'import "testing"'
			echo 'func work(n int) int'
			echo 'func prepare(n int) (s int) { for i := 0; i < n; i++ { s += work(i) }; return }'
			echo "func BenchmarkSum(b *testing.B) { s := prepare($([ $which = setup ] && echo 5000 || echo 50)); b.ResetTimer(); for i := 0; i < b.N; i++ { s += work(30) } }"
			echo 'func BenchmarkWhole(b *testing.B) { for i := 0; i < b.N; i++ { work(30) } }'
			[ $which != more ] || echo 'func BenchmarkOther(b *testing.B) { for i := 0; i < b.N; i++ { work(77) } }'
		} >"$at/prog_test.go"
		{
			printf '#include "textflag.h"\nTEXT \302\267work(SB), NOSPLIT, $0-16\nMOVQ n+0(FP), AX\nMOVQ $1, BX\n'
			[ $which != extra ] || printf 'BYTE $0x90; BYTE $0x90; BYTE $0x90\n'
			printf 'loop:\nADDQ AX, BX\nDECQ AX\nJNS loop\nMOVQ BX, ret+8(FP)\nRET\n'
		} >"$at/work_amd64.s"
		(cd "$at" && HOME=$dir GOFLAGS=-mod=mod go test -vet=off -c -o ../prog .) >"$dir/log" 2>&1 || not_ok "Go's program is built" "$(cat "$dir/log")"
	done
	judge Go BenchmarkSum
	is "Go: a benchmark as a whole" "$(figure prog/BenchmarkWhole "$extra")" $(($(figure prog/BenchmarkWhole "$base") + 3))
fi

# Catch2 is a large header, and criterion a large crate: their programs take minutes to build.
if ! soaking; then
	skip "Catch2, criterion" "# not run: g++, cargo bench --no-run: they take minutes (make soak)"
	finish
	exit
fi
printf '#define CATCH_CONFIG_MAIN\n#define CATCH_CONFIG_ENABLE_BENCHMARKING\n#include <catch2/catch.hpp>\n' >"$dir/main.cc"
cat >"$dir/catch.cc" <<'SOURCE'
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#ifdef EXTRA
#define MORE_CODE __asm__ volatile("nop; nop; nop");
#else
#define MORE_CODE
#endif
#ifdef SETUP
#define PREPARED 5000
#else
#define PREPARED 50
#endif
__attribute__((noinline)) unsigned work(unsigned n) { unsigned x = 1; for (; n; n--) { x = x * 5 + n; __asm__ volatile("" : "+r"(x) : : "memory"); } MORE_CODE return x; }
TEST_CASE("sum of numbers", "[!benchmark]") {
	unsigned prepared = work(PREPARED) % 2;
	BENCHMARK("30") { return work(30 + prepared / 2); };
}
TEST_CASE("advanced, with a comma", "[!benchmark]") {
	BENCHMARK_ADVANCED("20")(Catch::Benchmark::Chronometer meter) {
		unsigned prepared = work(PREPARED) % 2;
		meter.measure([&] { return work(20 + prepared / 2); });
	};
}
#ifdef MORE
TEST_CASE("other", "[!benchmark]") { BENCHMARK("77") { return work(77); }; }
#endif
TEST_CASE("none") { REQUIRE(work(0) == 1); }
SOURCE
if g++ -O1 -c -o "$dir/main.o" "$dir/main.cc" 2>"$dir/log" && build g++ -O1 "$dir/catch.cc" "$dir/main.o"; then
	judge Catch2 "sum of numbers"
	is "Catch2: a name with a comma" "$(figure "prog/advanced, with a comma" "$extra")" $(($(figure "prog/advanced, with a comma" "$base") + 3))
else
	skip "Catch2" "# not run: no catch2 here"
fi

if [ ! -d /usr/share/cargo/registry/criterion-0.3.6 ] || ! command -v cargo >/dev/null; then
	skip "criterion" "# not run: cargo bench --no-run: no librust-criterion-dev, or no cargo here"
	finish
	exit
fi
criterion_crate "$dir/cr" prog
cat >"$dir/cr/benches/prog.rs" <<'SOURCE'
use criterion::*;
#[inline(never)]
fn work(n: u64) -> u64 {
    let x = (0..n).fold(1u64, |x, i| black_box(x).wrapping_mul(5).wrapping_add(i));
    #[cfg(extra)]
    unsafe { std::arch::asm!("nop", "nop", "nop", options(nomem, nostack, preserves_flags)) }
    x
}
#[cfg(setup)]
const PREPARED: u64 = 5000;
#[cfg(not(setup))]
const PREPARED: u64 = 50;
fn sums(c: &mut Criterion) {
    c.bench_function("sum", |b| { let n = work(PREPARED) % 2; b.iter(|| work(black_box(30) + black_box(n) / 2)) });
    #[cfg(more)]
    c.bench_function("other", |b| b.iter(|| work(black_box(77))));
}
criterion_group!(benches, sums);
criterion_main!(benches);
SOURCE
for which in base setup more extra; do
	(cd "$dir/cr" && cargo rustc --offline --profile bench --bench prog -- --cfg $which) >"$dir/log" 2>&1 || not_ok "criterion's program is built" "$(tail -n 5 "$dir/log")"
	cp "$(ls -t "$dir"/cr/target/release/deps/prog-* | grep -v '\.d$' | head -n 1)" "$dir/$which/prog"
done
judge criterion sum
finish
