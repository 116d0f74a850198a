// SPDX-License-Identifier: BSD-2-Clause
/* menu.c - see menu.h. */
#include "rt/console/menu.h"

#include "lib/printf.h"
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

const char *menu_line(unsigned n)
{
	return keys[n].line;
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
}
