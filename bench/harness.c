// SPDX-License-Identifier: BSD-2-Clause
/* harness.c - a program for Linux without a library that measures code which `perf0 bench` has
 * assembled (bench/bench_code.h). */
#include "bench/bench_code.h"
#include "bench/complain.h"
#include "bench/bench_measure.h"
#include "bench/sibling.h"
#include "bench/bench_sys.h"

__attribute__((used)) _Noreturn static void bench_main(void)
{
	const struct emit_bytes once = CODE_PART(once), sibling = CODE_PART(sibling);
	const struct bench_code code = {
		.code = CODE_PART(code),
		.init = CODE_PART(init),
		.late_init = CODE_PART(late_init),
	};
	static struct bench b;

	measure_begin(&b);
	if (sibling.n)
		sibling_start(&b, &sibling);
	if (once.n)
		measure_run_once(&b, &once);
	if (b.settings.flags & BENCH_TRACE) {
		measure_trace(&b, &code, code_name);
		sys_exit(0);
	}
	measure_code(&b, &code, 1);
	measure_hand_in(&b, code_name);
	sys_exit(0);
}

__asm__(".globl _start\n"
	"_start:\n\t"
	"xor %ebp, %ebp\n\t"
	"and $-16, %rsp\n\t"
	"call bench_main\n");
