// SPDX-License-Identifier: BSD-2-Clause
// gbench.cc - two benchmarks with Google Benchmark.
#include <benchmark/benchmark.h>
#include <string>

static void copy_string(benchmark::State &state)
{
	const std::string from(state.range(0), 'x');

	for (auto _ : state)
		benchmark::DoNotOptimize(std::string(from));
}
BENCHMARK(copy_string)->Arg(8)->Arg(4096)->Iterations(1000);
BENCHMARK_MAIN();
