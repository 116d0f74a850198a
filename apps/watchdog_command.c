// SPDX-License-Identifier: BSD-2-Clause
/* watchdog_command.c - the NMI watchdog's switch. */
#include "rt/clock/watchdog_timer.h"

#include "apps/measure/command_options.h"
#include "lib/string.h"
#include "rt/console/command.h"
#include "rt/print/print.h"

#include <stddef.h>

_Static_assert(OPTION_LOCKUP_MOST == PMU_WATCHDOG_SECONDS_MOST && PMU_WATCHDOG_SECONDS == 10,
	       "as the table of options says");

static void print_counter(unsigned index)
{
	const unsigned fixed = 32;

	if (index < fixed)
		out("PMC%u", index);
	else
		out("FIXED%u", index - fixed);
}

static void print_watchdog_state(void)
{
	const struct pmu_watchdog w = pmu_watchdog_state();

	out("NMI watchdog: %s", w.on ? "on" : "off");
	if (w.on) {
		out(", threshold %u s, %llu heartbeats, ", w.seconds, (unsigned long long)w.beats);
		if (w.counts)
			print_counter(w.counter);
		else
			out("no counter left");
	}
	out("; hard lockups so far: %llu\n", (unsigned long long)w.lockups);
}

static int switch_watchdog_on(const char *command, unsigned seconds)
{
	struct reason why;

	if (!watchdog_on(seconds, &why))
		return 0;
	err("%s: %s\n", command, why.text);
	return STATUS_FAILED;
}

static int run_watchdog(int argc, char **argv)
{
	uint64_t seconds = 0;
	const struct option_target targets[] = {{OPT_THRESHOLD, &seconds}};
	const struct option_targets sets[] = {OPTION_TARGETS(targets)};
	int i = options_read(IMAGE_WATCHDOG, argc, argv, sets, 1), status = 0;
	const char *what = i >= 0 && i < argc ? argv[i] : "status";

	if (i < 0)
		return STATUS_USAGE;
	if (!strcmp(what, "on"))
		status = switch_watchdog_on(argv[0], (unsigned)seconds);
	else if (!strcmp(what, "off"))
		pmu_watchdog_off();
	print_watchdog_state();
	return status;
}

static const struct command watchdog = {
	.name = "watchdog",
	.usage = "[--threshold S] [on|off|status]",
	.summary = "the NMI watchdog, which reports the code that holds a CPU with interrupts off",
	.help = "  on                    takes a counter for cycles; also nmi_watchdog=1 at boot\n"
		"  off                   gives it back\n",
	.options = IMAGE_WATCHDOG,
	.operands = {.kind = OPERANDS_WORD, .words = "on|off|status"},
	.run = run_watchdog,
};
COMMAND(watchdog);
