/* SPDX-License-Identifier: BSD-2-Clause */
/* handoff_args.h - the length of load options, for C and for assembly. */
#ifndef PERF0_HANDOFF_ARGS_H
#define PERF0_HANDOFF_ARGS_H

/*
 * The longest command line in bytes, without the terminator: at the console, and after the boot
 * options in the load options. A longer one is refused as a whole.
 */
#define COMMAND_LINE_MAX 65535

/* Load options: boot options, a command line, and the terminator. */
#define HANDOFF_MAX_ARGS (1024 + COMMAND_LINE_MAX + 1)

#endif
