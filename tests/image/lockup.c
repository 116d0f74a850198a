// SPDX-License-Identifier: BSD-2-Clause
/* lockup.c - a command that locks a CPU up on purpose, for the NMI watchdog. */
#include "arch/x86/insn.h"
#include "arch/x86/dev/tsc.h"
#include "lib/time.h"
#include "rt/console/command.h"
#include "lib/words/number.h"
#include "rt/print/print.h"

#include <stddef.h>

#define LOCKUP_MS   3000
#define LOCKUP_MOST 600000
#define TURNS       1000 /* between two looks at the clock, which are slow in an emulator */

/* Global and never inlined: a report's instruction pointer has to lie in here. */
void lockup_spin(uint64_t until);

__attribute__((noinline)) void lockup_spin(uint64_t until)
{
	while (rdtsc() < until)
		for (unsigned i = 0; i < TURNS; i++)
			__asm__ volatile("");
}

static int run(int argc, char **argv)
{
	uint64_t ms = LOCKUP_MS, flags;

	if (argc > 1)
		number_parse(argv[1], &ms);
	flags = irq_save();
	lockup_spin(rdtsc() + tsc_from_ns(ms * NSEC_PER_MS));
	irq_restore(flags);
	out("held the CPU for %llu ms\n", (unsigned long long)ms);
	return 0;
}

static const struct command lockup = {
	.name = "lockup",
	.usage = "[MS]",
	.summary = "holds the CPU with interrupts off for MS ms (3000), to try the NMI watchdog",
	.operands = {.kind = OPERANDS_NUMBER, .least = 1, .most = LOCKUP_MOST},
	.run = run,
};
COMMAND(lockup);
