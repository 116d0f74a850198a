// SPDX-License-Identifier: BSD-2-Clause
/* sysctl.c - settings of event core, scheduler and memory, with Linux's names. */
#include "arch/x86/mem/paging.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/console/command.h"
#include "lib/words/number.h"
#include "rt/print/print.h"
#include "linux/mem/mm.h"
#include "linux/mem/page_check.h"
#include "linux/program/random.h"
#include "rt/clock/times.h"
#include "linux/program/wx_memory.h"
#include "linux/task/sched.h"

#include <stddef.h>

static const struct setting settings[] = {
	/* clang-format off */
	{"kernel.perf_event_max_sample_rate", 1, PMU_MAX_SAMPLE_RATE_MOST, pmu_max_sample_rate, pmu_set_max_sample_rate},
	{"kernel.sched_rr_timeslice_ms",      1, SCHED_SLICE_MS_MOST,      sched_slice_ms,      sched_set_slice_ms},
	{"perf0.clock_ahead_ns",              0, TIMES_AHEAD_MOST,         times_ahead,         times_set_ahead},
	{"perf0.layout_shift",                0, MM_LAYOUT_SHIFT_MOST,     mm_layout_shift,     mm_set_layout_shift},
	{"perf0.seed_added",                  0, UINT64_MAX,               random_seed_added,   random_set_seed_added},
	{"vm.allow_wx",                       0, 1,                        wx_allowed,          wx_set_allowed},
	{"vm.page_poison",                    0, 1,                        page_poisons,        page_check_set},
	/* clang-format on */
};

#define NSETTINGS (sizeof(settings) / sizeof(settings[0]))

static void print_setting(const struct setting *s)
{
	out("%s = %llu\n", s->name, (unsigned long long)s->get());
}

static const struct setting *find_setting(const char *name, size_t n)
{
	for (size_t i = 0; i < NSETTINGS; i++)
		if (strlen(settings[i].name) == n && !memcmp(settings[i].name, name, n))
			return &settings[i];
	return NULL;
}

/* Applies NAME or NAME=VALUE, which was checked. */
static int apply_setting(const char *word)
{
	const char *value = strchr(word, '=');
	const struct setting *s = find_setting(word, value ? (size_t)(value - word) : strlen(word));
	uint64_t number;

	if (value && (number_parse(value + 1, &number) || s->set(number))) {
		err("sysctl: %s cannot be %s now\n", s->name, value + 1);
		return STATUS_FAILED;
	}
	print_setting(s);
	return 0;
}

static int run_sysctl(int argc, char **argv)
{
	int status = 0;

	for (size_t i = 0; argc == 1 && i < NSETTINGS; i++)
		print_setting(&settings[i]);
	for (int i = 1; i < argc && !status; i++)
		status = apply_setting(argv[i]);
	return status;
}

static const struct command sysctl = {
	.name = "sysctl",
	.usage = "[NAME[=VALUE]...]",
	.summary = "shows and sets what Linux sets by sysctl(8)",
	.help = "  kernel.perf_event_max_sample_rate\n"
		"      samples a second that one event may take (100000). One that takes more is held\n"
		"      for the rest of a tick of 4 ms: it counts on, but does not sample.\n"
		"  kernel.sched_rr_timeslice_ms\n"
		"      how long a task's turn on a CPU is, while others wait for it (10)\n"
		"  perf0.clock_ahead_ns\n"
		"      how much later than by default the clocks of programs begin in each run (0): what\n"
		"      reads them is not to depend on it\n"
		"  perf0.layout_shift\n"
		"      by how many pages programs that start later have other addresses (0): a program\n"
		"      without a fixed place, its libraries, heap and stack. What they count is not to\n"
		"      depend on that\n"
		"  perf0.seed_added\n"
		"      what each run adds to --seed (0): the random numbers of programs are others, and what\n"
		"      they do is not to depend on that\n"
		"  vm.allow_wx\n"
		"      1: programs that start later may have memory that is both writable and executable (0)\n"
		"  vm.page_poison\n"
		"      1: what is free of memory is filled with a pattern, and that it is there still is\n"
		"      checked where memory is taken; and where a page becomes free, each CPU that could\n"
		"      know it has to have flushed: a panic if not (0). For tests.\n",
	.operands = {.kind = OPERANDS_SETTINGS,
		     .names = {settings, settings + NSETTINGS, sizeof(settings[0])}},
	.run = run_sysctl,
};
COMMAND(sysctl);
