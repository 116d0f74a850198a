// SPDX-License-Identifier: BSD-2-Clause
/* tfa_command.c - `tfa`: prints and sets "TSX force abort". While it is on, transactions abort, and
 * the counter that they would occupy can count. */
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/console/command.h"
#include "rt/print/print.h"

#include <stddef.h>

static void print_tfa_state(void)
{
	const uint64_t counters = pmu_tfa_counters();

	if (!counters)
		out("TSX force abort: not on this CPU; transactions take no counter\n");
	else if (pmu_tfa_aborts())
		out("TSX force abort: on; transactions abort, counters 0x%llx can count\n",
		    (unsigned long long)counters);
	else
		out("TSX force abort: off; transactions run, counters 0x%llx are theirs\n",
		    (unsigned long long)counters);
}

static int run_tfa(int argc, char **argv)
{
	const bool on = argc > 1 && !strcmp(argv[1], "on");
	struct reason why;

	if (argc == 2 && pmu_set_tfa(on, &why)) {
		err("%s: %s\n", argv[0], why.text);
		return STATUS_FAILED;
	}
	print_tfa_state();
	return 0;
}

static const struct command tfa = {
	.name = "tfa",
	.usage = "[on|off]",
	.summary = "TSX force abort: whether transactions abort, or take a counter",
	.help = "  on    transactions abort (bit 0 of TSX_FORCE_ABORT is 1): so it is from the start\n"
		"  off   they run, and nothing counts on PMC3, which they disturb\n",
	.operands = {.kind = OPERANDS_WORD, .words = "on|off"},
	.run = run_tfa,
};
COMMAND(tfa);
