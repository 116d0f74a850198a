// SPDX-License-Identifier: BSD-2-Clause
/* main.c - main() for programs that have none: see perf0_bench.h. */
#include "bench/perf0_bench.h"

int main(int argc, char **argv)
{
	return perf0_bench_main(argc, argv);
}
