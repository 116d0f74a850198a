// SPDX-License-Identifier: BSD-2-Clause
/* bug.c - a command that causes a bug on a CPU, so that a test can check the panic. */
#include "arch/x86/smp/smp.h"
#include "lib/cpumask.h"
#include "rt/console/command.h"
#include "lib/words/number.h"
#include "rt/print/print.h"

static void divide_by_zero(void *arg)
{
	(void)arg;
	__asm__ volatile("div %0" : : "r"(0), "a"(1), "d"(0) : "cc");
}

static int run(int argc, char **argv)
{
	uint64_t cpu = 0;

	if ((argc == 2 && number_parse(argv[1], &cpu)) || cpu >= smp_ncpus()) {
		err("bug: wants the number of a CPU that is online\n");
		return STATUS_USAGE;
	}
	smp_call((unsigned)cpu, divide_by_zero, NULL);
	return 0;
}

static const struct command bug = {
	.name = "bug",
	.usage = "[CPU]",
	.summary = "divides by zero in ring 0 of a CPU: perf0 panics",
	.operands = {.kind = OPERANDS_NUMBER, .most = CPUMASK_CPUS - 1},
	.run = run,
};
COMMAND(bug);
