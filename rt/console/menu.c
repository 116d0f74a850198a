// SPDX-License-Identifier: BSD-2-Clause
/* menu.c - see menu.h. */
#include "rt/console/menu.h"

#include "lib/printf.h"
#include "rt/base/machine.h"
#include "rt/print/print.h"

#include <stddef.h>

#define COLUMNS 106 /* of the narrowest screen */

static const struct {
	const char *line, *name;
} keys[MENU_KEYS + 1] = {
	[1] = {"help", "help"},
	[2] = {"caps ; machine", "machine"},
	[3] = {"stat loop 1000000 ; record -c 100003 hotcold", "demo"},
	[4] = {"config", "run perf0.cfg"},
	[5] = {"list", "events"},
	[6] = {"help workloads", "workloads"},
	[7] = {"doctor", "doctor"},
	[8] = {"reboot", "reboot"},
	[9] = {"poweroff", "power off"},
	[10] = {"exit", "exit"},
};

#define DEMO_KEY 3

/* The line of the demo's key on a machine without counters. */
static const char demo_without_pmu[] =
	"stat -e cpu-clock,page-faults,context-switches loop 1000000 ; "
	"record -e cpu-clock -c 1000000 hotcold";

const char *menu_line(unsigned n)
{
	return n == DEMO_KEY && machine_pmu_problem() ? demo_without_pmu : keys[n].line;
}

void menu_tell(void)
{
	unsigned column = 0;

	for (unsigned n = 1; n <= MENU_KEYS; n++) {
		char key[32];
		unsigned length;

		if (!keys[n].line)
			continue;
		length = (unsigned)fmt_print(key, sizeof(key), "F%u %s   ", n, keys[n].name);
		if (column + length > COLUMNS)
			out("\n");
		column = column + length > COLUMNS ? length : column + length;
		out("%s", key);
	}
	out("\n");
	if (!machine_pmu_problem())
		return;
	out("No hardware events: %s.\n", machine_pmu_problem());
	out("Clocks, software events and tracepoints are there: F%d shows some.\n", DEMO_KEY);
}
