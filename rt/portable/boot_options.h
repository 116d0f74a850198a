/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * boot_options.h - boot options: words of the form name=value before the first command. Task
 * context.
 */
#ifndef RT_PORTABLE_BOOT_OPTIONS_H
#define RT_PORTABLE_BOOT_OPTIONS_H

#include "arch/x86/portable/uart.h"

#include <stdbool.h>
#include <stdint.h>

struct boot_options {
	bool framed;              /* text=framed: all text in frames, for the host tool */
	uint32_t baud;            /* baud=N, a divisor of 115200; 0: not given */
	enum uart_flow flow;      /* flow=none, xonxoff or rtscts, of the serial line */
	bool firmware_lines;      /* lines=firmware: the firmware drives the serial lines */
	unsigned cpus;            /* cpus=N: maximum number of CPUs in use */
	bool await;               /* await=1: a host hands in the commands; await_host.h */
	bool halts_usb;           /* usb=halt: USB controllers halt while a command runs */
	bool nmi_watchdog;        /* nmi_watchdog=1: on from the start */
	uint32_t watchdog_thresh; /* watchdog_thresh=S: its threshold in seconds */
	bool quiet_dma;           /* dma=quiet: devices may not write to memory; home_dma.h */
	uint32_t home_after;      /* home_after=S: back to Linux after so many seconds; 0: never */
};

struct options_error {
	const char *word; /* the bad one, terminated */
	const char *reason;
};

/*
 * options_parse() - reads the options at the start of `args`, which is changed. Returns the begin
 * of the commands. A bad option keeps its default and is reported in `error`; word NULL: there is
 * none.
 */
char *options_parse(char *args, struct boot_options *options, struct options_error *error);

#endif
