// SPDX-License-Identifier: BSD-2-Clause
/* menu.c - see menu.h. */
#include "rt/console/menu.h"

#include "rt/print/print.h"

#include <stddef.h>

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

const char *menu_line(unsigned n)
{
	return keys[n].line;
}

void menu_tell(void)
{
	for (unsigned n = 1; n <= MENU_KEYS; n++)
		if (keys[n].line)
			out("F%u %s   ", n, keys[n].name);
	out("\n");
}
