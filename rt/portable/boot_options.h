/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * boot_options.h - boot options: words of the form name=value in front of the first command. Task
 * context.
 */
#ifndef RT_PORTABLE_BOOT_OPTIONS_H
#define RT_PORTABLE_BOOT_OPTIONS_H

#include "arch/x86/portable/uart.h"

#include <stdbool.h>
#include <stdint.h>

struct boot_options {
	bool framed;              /* text=framed: all text in frames, for the host tool */
	uint32_t baud;            /* baud=N, a divisor of 115200; 0: not said */
	enum uart_flow flow;      /* flow=none, xonxoff or rtscts, of the serial line */
	bool firmware_lines;      /* lines=firmware: serial lines are its own to drive */
	unsigned cpus;            /* cpus=N: how many are used at most */
	bool await;               /* await=1: a host hands in the commands; await.h */
	bool halts_usb;           /* usb=halt: controllers stand still while a command runs */
	bool nmi_watchdog;        /* nmi_watchdog=1: on from the start */
	uint32_t watchdog_thresh; /* watchdog_thresh=S: its threshold in seconds */
};

struct options_error {
	const char *word; /* the bad one, terminated */
	const char *reason;
};

/*
 * options_parse() - reads the options at the start of `args`, which is changed, and returns where
 * the commands begin. A bad option leaves its default in place and is told in `error` (word NULL:
 * none).
 */
char *options_parse(char *args, struct boot_options *options, struct options_error *error);

#endif
