// SPDX-License-Identifier: BSD-2-Clause
/* power_command.c - commands that reset the machine or turn it off. */
#include "arch/x86/dev/power.h"

#include "rt/console/carry.h"
#include "rt/console/command.h"
#include "rt/console/console.h"
#include "rt/console/keep.h"
#include "rt/console/keyboard.h"
#include "rt/console/stick.h"
#include "rt/print/print.h"
#include "rt/firmware/firmware_calls.h"
#include "rt/home/home.h"

#define RETRY_MS 3000

/*
 * Returns whether no result is lost with the machine, or a person wants that. Writing is retried,
 * as another stick may be there by now.
 */
static bool may_lose_results(const char *name)
{
	const struct results *results = keep_results();
	struct reason why;
	int key = -1;

	if (!stick_is_there() || !results || !keep_write(&why))
		return true;
	err("%s: %s\n", name, why.text);
	err("%s: %u files of results are in memory alone, and would be lost. `y` loses them; any other "
	    "key brings the prompt.\n",
	    name, results->nkept);
	keyboard_listen(false);
	while (key < 0 && keep_write(&why))
		key = console_key_within(RETRY_MS);
	return key < 0 || key == 'y' || key == 'Y';
}

static int run_reboot(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	if (!carry_is_on() && !may_lose_results("reboot"))
		return STATUS_INCOMPLETE;
	stick_end_line();
	carry_save();
	firmware_reset(false);
	power_reset();
}

static int run_poweroff(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	if (!may_lose_results("poweroff"))
		return STATUS_INCOMPLETE;
	stick_end_line();
	if (firmware_reset(true) && power_off())
		err("poweroff: this machine cannot be switched off by its tables\n");
	return STATUS_FAILED;
}

static int run_exit(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	if (!may_lose_results("exit"))
		return STATUS_INCOMPLETE;
	stick_end_line();
	home_go();
	if (firmware_exit())
		err("exit: the firmware is gone (mode=own); `reboot` and `poweroff` are left\n");
	return STATUS_FAILED;
}

static const struct command reboot = {
	.name = "reboot",
	.usage = "",
	.summary = "starts the machine anew",
	.run = run_reboot,
};
COMMAND(reboot);

static const struct command poweroff = {
	.name = "poweroff",
	.usage = "",
	.summary = "switches the machine off",
	.run = run_poweroff,
};
COMMAND(poweroff);

static const struct command exit_command = {
	.name = "exit",
	.usage = "",
	.summary = "gives the machine back to its firmware, or to Linux",
	.run = run_exit,
};
COMMAND(exit_command);
