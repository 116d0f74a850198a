// SPDX-License-Identifier: BSD-2-Clause
/* power_command.c - commands that reset the machine or turn it off. */
#include "arch/x86/dev/power.h"

#include "rt/console/carry.h"
#include "rt/console/command.h"
#include "rt/console/stick.h"
#include "rt/print/print.h"
#include "rt/firmware/firmware_calls.h"

static int run_reboot(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	stick_end_line();
	carry_save();
	firmware_reset(false);
	power_reset();
}

static int run_poweroff(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	stick_end_line();
	if (firmware_reset(true) && power_off())
		err("poweroff: this machine cannot be switched off by its tables\n");
	return STATUS_FAILED;
}

static int run_exit(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	stick_end_line();
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
	.summary = "gives the machine back to its firmware",
	.run = run_exit,
};
COMMAND(exit_command);
