// SPDX-License-Identifier: BSD-2-Clause
/* await.c - see await.h. */
#include "rt/console/await.h"

#include "arch/x86/dev/fwcfg.h"
#include "arch/x86/dev/hpet.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "include/perf0/programs.h"
#include "include/perf0/wire.h"
#include "rt/console/console.h"
#include "rt/perf/pmu_host.h"
#include "rt/wire/wire.h"

static void restart_clock(void *age)
{
	clock_restart(*(const uint64_t *)age);
	pmu_host_follow_clock();
}

/* How long the machine took to start, and where it was saved in a tick, is in no result. */
static void restart_clocks(void)
{
	uint64_t flags = irq_save(), age;

	hpet_restart();
	age = clock_age();

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		smp_call(cpu, restart_clock, &age);
	irq_restore(flags);
}

static char *read_commands(char *text, size_t size)
{
	struct fwcfg_file file;

	text[0] = '\0';
	if (!fwcfg_find(PROGRAMS_COMMANDS, &file))
		return text;
	if (file.bytes >= size)
		file.bytes = (uint32_t)size - 1;
	if (fwcfg_read(&file, 0, text, file.bytes))
		text[file.bytes] = '\0';
	return text;
}

char *await_commands(char *text, size_t size)
{
	wire_await();
	console_await(WIRE_TYPED_START);
	restart_clocks();
	return read_commands(text, size);
}
