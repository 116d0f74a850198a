/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * await_host.h - after its start-up the machine waits for its host, which may save it there. Each
 * start from that saved state continues with other commands.
 */
#ifndef RT_CONSOLE_AWAIT_HOST_H
#define RT_CONSOLE_AWAIT_HOST_H

#include <stddef.h>

/*
 * await_commands() - sends AWAIT, sleeps until WIRE_TYPED_START is typed, and restarts the clocks.
 * It then reads the commands that the host has handed in (include/perf0/programs.h) into `text` of
 * `size` bytes; the host tool has checked that they fit. Returns them; "": there are none, and the
 * console prompts. Task context, once, before any event or task exists.
 */
char *await_commands(char *text, size_t size);

#endif
