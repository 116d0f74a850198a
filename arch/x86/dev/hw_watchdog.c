// SPDX-License-Identifier: BSD-2-Clause
/* hw_watchdog.c - see hw_watchdog.h. */
#include "arch/x86/dev/hw_watchdog.h"

#include "arch/x86/dev/hw_watchdog_chip.h"

#include <linux/errno.h>
#include <stddef.h>

static const struct hw_watchdog_chip *const chips[] = {&hw_watchdog_tco, &hw_watchdog_sp5100};

static const struct hw_watchdog_chip *chip; /* NULL: none, or not looked for yet */
static const char *reason;                  /* NULL: not looked for yet */
static bool runs;

static void find_once(void)
{
	if (reason)
		return;
	reason = "no chipset whose watchdog is known";
	for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
		const int err = chips[i]->find(&reason);

		if (err == -ENODEV)
			continue;
		if (!err) {
			chip = chips[i];
			reason = "";
		}
		return;
	}
}

const char *hw_watchdog_name(void)
{
	find_once();
	return chip ? chip->name : "none";
}

const char *hw_watchdog_reason(void)
{
	find_once();
	return reason;
}

bool hw_watchdog_start(unsigned seconds)
{
	find_once();
	if (!chip)
		return false;
	if (!runs)
		runs = chip->start(seconds, &reason);
	if (!runs)
		chip = NULL;
	return runs;
}

void hw_watchdog_feed(void)
{
	if (runs)
		chip->feed();
}

void hw_watchdog_stop(void)
{
	if (!runs)
		return;
	runs = false;
	chip->stop();
}
